param([string] $File)
$ErrorActionPreference = "Stop"
$pfx = Join-Path $env:RUNNER_TEMP "signing.pfx"
[IO.File]::WriteAllBytes($pfx, [Convert]::FromBase64String($env:SIGNING_CERTIFICATE))
try {
  $signtool = Get-ChildItem "${env:ProgramFiles(x86)}\Windows Kits\10\bin\*\x64\signtool.exe" |
    Sort-Object FullName | Select-Object -Last 1
  & $signtool.FullName sign /fd SHA256 /tr $env:TIMESTAMP_SERVER /td SHA256 /f $pfx /p $env:SIGNING_PASSWORD $File
  if ($LASTEXITCODE -ne 0) { throw "signtool ended with $LASTEXITCODE" }
} finally {
  Remove-Item $pfx
}
