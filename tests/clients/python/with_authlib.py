"""What an application does with Authlib: it exchanges a code, refreshes the token and revokes the connection."""

import json
import os
import sys

# The service under test listens on loopback, without TLS.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.requests_client import OAuth2Session

given = json.load(sys.stdin)
session = OAuth2Session(given["client_id"], given["client_secret"], redirect_uri=given["redirect_uri"])
token = session.fetch_token(given["token_url"], code=given["code"])
first = dict(token)
refreshed = session.refresh_token(given["token_url"], refresh_token=token["refresh_token"])
revoked = session.revoke_token(given["revoke_url"], token=token["refresh_token"], token_type_hint="refresh_token")
json.dump(
    {
        "access_token": first["access_token"],
        "sub": first["sub"],
        "refreshed": refreshed["access_token"],
        "refresh_token": refreshed["refresh_token"],
        "revoked": revoked.status_code,
    },
    sys.stdout,
)
