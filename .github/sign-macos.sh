#!/bin/sh
# Signs a program for macOS and has Apple notarise it. A bare program cannot carry the ticket: systems ask for it.
set -eu
file=$1
if [ -z "${SIGNING_CERTIFICATE:-}" ]; then
  echo "no certificate: $file is signed ad hoc" >&2
  exec codesign --force --sign - "$file"
fi
keychain=$RUNNER_TEMP/signing.keychain
if [ ! -f "$keychain-db" ] && [ ! -f "$keychain" ]; then
  printf %s "$SIGNING_CERTIFICATE" | base64 --decode > "$RUNNER_TEMP/signing.p12"
  security create-keychain -p "$SIGNING_PASSWORD" "$keychain"
  security unlock-keychain -p "$SIGNING_PASSWORD" "$keychain"
  security import "$RUNNER_TEMP/signing.p12" -k "$keychain" -P "$SIGNING_PASSWORD" -T /usr/bin/codesign
  security set-key-partition-list -S apple-tool:,apple: -s -k "$SIGNING_PASSWORD" "$keychain" > /dev/null
  security list-keychains -d user -s "$keychain"
  rm "$RUNNER_TEMP/signing.p12"
fi
codesign --force --timestamp --options runtime --keychain "$keychain" --sign "$SIGNING_IDENTITY" "$file"
printf %s "$NOTARY_KEY" > "$RUNNER_TEMP/notary.p8"
ditto -c -k "$file" "$RUNNER_TEMP/notarise.zip"
xcrun notarytool submit "$RUNNER_TEMP/notarise.zip" --wait \
  --key "$RUNNER_TEMP/notary.p8" --key-id "$NOTARY_KEY_ID" --issuer "$NOTARY_ISSUER"
rm "$RUNNER_TEMP/notary.p8" "$RUNNER_TEMP/notarise.zip"
