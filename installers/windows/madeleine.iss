; Inno Setup 6 script: one installer for the current user, no administrator needed. Not run yet: see the README.
; Build with: iscc /DVersion=X.Y.Z installers\windows\madeleine.iss   (make_installer.ps1 does)

#ifndef Version
  #error Version must be given: /DVersion=X.Y.Z
#endif

[Setup]
AppId={{6C1B0C5E-8A3B-4E0E-9B41-5D0C1D6B7A52}
AppName=Madeleine
AppVersion={#Version}
DefaultDirName={autopf}\Madeleine
DefaultGroupName=Madeleine
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\licence_texts\GPL-3.0.txt
OutputDir=..\..\dist
OutputBaseFilename=madeleine-{#Version}-windows-x64
Compression=lzma2/max
SolidCompression=yes
; A running Madeleine holds the library: ask to close it instead of replacing files under it.
CloseApplications=yes
ChangesEnvironment=yes

[Tasks]
Name: "desktopicon"; Description: "A symbol on the desktop"; Flags: unchecked
Name: "path"; Description: "The command 'madeleine' in new terminals"; Flags: unchecked

[Files]
Source: "..\..\dist\madeleine\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\Madeleine"; Filename: "{app}\madeleine-window.exe"
Name: "{autodesktop}\Madeleine"; Filename: "{app}\madeleine-window.exe"; Tasks: desktopicon

[Registry]
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; \
    Tasks: path; Check: IsNotOnPath(ExpandConstant('{app}'))

[Run]
Filename: "{app}\madeleine-window.exe"; Description: "Open Madeleine"; Flags: nowait postinstall skipifsilent

; The library and the models lie in the person's own application data and are not in [Files]: removing the program keeps them.

[Code]
function IsNotOnPath(Folder: string): Boolean;
var
  Path: string;
begin
  if not RegQueryStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Path) then
    Path := '';
  Result := Pos(';' + Lowercase(Folder) + ';', ';' + Lowercase(Path) + ';') = 0;
end;
