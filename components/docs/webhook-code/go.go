package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"time"
)

const tolerance = 5 * time.Minute

var signatureForm = regexp.MustCompile(`^t=(\d{1,12}),v1=([0-9a-f]{64})$`)

// Verify reports whether Almanac sent this body. body is the raw bytes, before any JSON parsing;
// signature is the header Svc-Signature.
func Verify(body []byte, signature, signingSecret string) bool {
	found := signatureForm.FindStringSubmatch(signature)
	if found == nil {
		return false
	}
	sentAt, _ := strconv.ParseInt(found[1], 10, 64)
	if age := time.Since(time.Unix(sentAt, 0)); age > tolerance || age < -tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(signingSecret))
	mac.Write([]byte(found[1] + "."))
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(found[2]))
}
