require "openssl"

TOLERANCE_SECONDS = 5 * 60

# Returns true if Almanac sent this body. `body` is the raw bytes, before any JSON parsing;
# `signature` is the header Svc-Signature.
def verify(body:, signature:, signing_secret:)
  found = /\At=(\d{1,12}),v1=([0-9a-f]{64})\z/.match(signature.to_s)
  return false if found.nil? || (Time.now.to_i - found[1].to_i).abs > TOLERANCE_SECONDS

  expected = OpenSSL::HMAC.hexdigest("SHA256", signing_secret, "#{found[1]}.".b + body.b)
  OpenSSL.secure_compare(expected, found[2])
end
