package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

// VerifyWebhook reports whether a webhook comes from the service; rawBody must be the bytes as received.
func VerifyWebhook(rawBody []byte, signature, secret string, now time.Time) bool {
	sentAt, given := "", [][]byte{}
	for _, item := range strings.Split(signature, ",") {
		name, value, _ := strings.Cut(item, "=")
		if name == "t" && sentAt == "" {
			sentAt = value
		}
		if decoded, err := hex.DecodeString(value); name == "v1" && err == nil {
			given = append(given, decoded)
		}
	}
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	age := now.Unix() - seconds
	if err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sentAt + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	for _, each := range given {
		if hmac.Equal(each, expected) {
			return true
		}
	}
	return false
}
