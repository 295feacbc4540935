"""What an application does with requests-oauthlib: it exchanges a code and refreshes the token. The library revokes nothing by itself."""

import json
import os
import sys

# The service under test listens on loopback, without TLS.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

given = json.load(sys.stdin)
session = OAuth2Session(given["client_id"], redirect_uri=given["redirect_uri"])
token = session.fetch_token(given["token_url"], code=given["code"], client_secret=given["client_secret"])
first = dict(token)
basic = HTTPBasicAuth(given["client_id"], given["client_secret"])
refreshed = session.refresh_token(given["token_url"], refresh_token=token["refresh_token"], auth=basic)
revoked = session.post(given["revoke_url"], data={"token": token["refresh_token"]}, auth=basic, withhold_token=True)
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
