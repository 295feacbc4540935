require "openssl"
require "socket"

def from_almanac?(body, header)
  found = /\At=(\d{1,12}),v1=([0-9a-f]{64})\z/.match(header.to_s)
  return false if found.nil? || (Time.now.to_i - found[1].to_i).abs > 300

  expected = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("SIGNING_SECRET"), "#{found[1]}.".b + body.b)
  OpenSSL.secure_compare(expected, found[2])
end

$stdout.sync = true
server = TCPServer.new("127.0.0.1", 9999)
loop do
  client = server.accept
  lines = client.each_line("\r\n", chomp: true).take_while { |line| !line.empty? }
  headers = lines.drop(1).to_h { |line| line.split(": ", 2) }.transform_keys(&:downcase)
  body = client.read(headers["content-length"].to_i)
  valid = from_almanac?(body, headers["svc-signature"])
  client.print "HTTP/1.1 #{valid ? "204 No Content" : "400 Bad Request"}\r\nConnection: close\r\n\r\n"
  client.close
  puts valid ? "verified #{body}" : "rejected"
end
