@rem Signs a program for Windows, with a timestamp, so that the signature outlives the certificate.
@if "%SIGNING_CERTIFICATE%"=="" (
  echo no certificate: %1 is not signed 1>&2
  exit /b 0
)
@powershell -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "%~dp0sign-windows.ps1" "%~1"
