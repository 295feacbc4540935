package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

var signatureForm = regexp.MustCompile(`^t=(\d{1,12}),v1=([0-9a-f]{64})$`)

// Verify reports whether Almanac sent this body. body is the raw bytes, before any JSON parsing;
// signature and hmacs are the headers Svc-Signature and Svc-HMAC-SHA256.
func Verify(body []byte, signature, hmacs, signingSecret, clientSecret string) bool {
	found := signatureForm.FindStringSubmatch(signature)
	if found == nil {
		return false
	}
	sentAt, _ := strconv.ParseInt(found[1], 10, 64)
	if age := time.Since(time.Unix(sentAt, 0)); age > tolerance || age < -tolerance {
		return false
	}
	expected := hex.EncodeToString(sum(signingSecret, []byte(found[1]+"."), body))
	if !hmac.Equal([]byte(expected), []byte(found[2])) {
		return false
	}
	own := base64.StdEncoding.EncodeToString(sum(clientSecret, body))
	for _, each := range strings.Split(hmacs, ",") {
		if hmac.Equal([]byte(own), []byte(strings.TrimSpace(each))) {
			return true
		}
	}
	return false
}

func sum(secret string, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}
