// Command main does what an application does with golang.org/x/oauth2: it exchanges a code and refreshes the token.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	"golang.org/x/oauth2"
)

type scene struct {
	TokenURL     string `json:"token_url"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	RedirectURI  string `json:"redirect_uri"`
	Code         string `json:"code"`
	AuthStyle    int    `json:"auth_style"`
}

func main() {
	var given scene
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     given.ClientID,
		ClientSecret: given.ClientSecret,
		RedirectURL:  given.RedirectURI,
		Endpoint:     oauth2.Endpoint{TokenURL: given.TokenURL, AuthStyle: oauth2.AuthStyle(given.AuthStyle)},
	}
	ctx := context.Background()
	token, err := config.Exchange(ctx, given.Code)
	if err != nil {
		log.Fatal(err)
	}
	expired := &oauth2.Token{RefreshToken: token.RefreshToken, Expiry: time.Now().Add(-time.Hour)}
	refreshed, err := config.TokenSource(ctx, expired).Token()
	if err != nil {
		log.Fatal(err)
	}
	done := map[string]any{
		"access_token":  token.AccessToken,
		"sub":           token.Extra("sub"),
		"refreshed":     refreshed.AccessToken,
		"refresh_token": refreshed.RefreshToken,
	}
	if err := json.NewEncoder(os.Stdout).Encode(done); err != nil {
		log.Fatal(err)
	}
}
