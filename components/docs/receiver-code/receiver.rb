require "openssl"
require "socket"

def fault_of(body, header)
  found = /\At=(\d{1,12}),v1=([0-9a-f]{64})\z/.match(header.to_s)
  return "no signature" if found.nil?
  return "signed more than 5 minutes ago" if (Time.now.to_i - found[1].to_i).abs > 300

  expected = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("SIGNING_SECRET"), "#{found[1]}.".b + body.b)
  OpenSSL.secure_compare(expected, found[2]) ? nil : "signed for another channel"
end

$stdout.sync = true
server = TCPServer.new("127.0.0.1", 9999)
loop do
  client = server.accept
  lines = client.each_line("\r\n", chomp: true).take_while { |line| !line.empty? }
  headers = lines.drop(1).to_h { |line| line.split(": ", 2) }.transform_keys(&:downcase)
  body = client.read(headers["content-length"].to_i)
  fault = fault_of(body, headers["svc-signature"])
  client.print "HTTP/1.1 #{fault ? "400 Bad Request" : "204 No Content"}\r\nConnection: close\r\n\r\n"
  client.close
  puts fault ? "rejected: #{fault}" : "verified #{body}"
end
