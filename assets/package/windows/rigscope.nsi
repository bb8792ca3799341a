; Installer for one user, without administrator rights. Defines: VERSION, FILES (folder of the files to install), OUT.
Target amd64-unicode
Unicode true
Name "Rigscope"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Rigscope"
InstallDirRegKey HKCU "Software\Microsoft\Windows\CurrentVersion\Uninstall\Rigscope" "InstallLocation"
RequestExecutionLevel user
SetCompressor /SOLID lzma
Icon "${ICON}"
UninstallIcon "${ICON}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Rigscope"
VIAddVersionKey "FileDescription" "Installer of Rigscope"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "MIT OR Apache-2.0"
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Rigscope"
!define APPLICATION "Software\Classes\Applications\rigscope-window.exe"
!define TYPE "Software\Classes\Rigscope.Rig"

; Tells the Explorer that file types changed.
!macro refresh
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro offer EXTENSION
  WriteRegStr HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "Rigscope.Rig" ""
  WriteRegStr HKCU "${APPLICATION}\SupportedTypes" ".${EXTENSION}" ""
!macroend

; Leaves the keys that other programs use.
!macro withdraw EXTENSION
  DeleteRegValue HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "Rigscope.Rig"
  DeleteRegKey /ifempty HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "Software\Classes\.${EXTENSION}"
!macroend

Section
  SetOutPath $INSTDIR
  File "${FILES}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Rigscope.lnk" "$INSTDIR\rigscope-window.exe"
  WriteRegStr HKCU "${TYPE}" "" "Rigged character"
  WriteRegStr HKCU "${TYPE}\DefaultIcon" "" "$INSTDIR\rigscope.exe,0"
  WriteRegStr HKCU "${TYPE}\shell\open\command" "" '"$INSTDIR\rigscope-window.exe" "%1"'
  WriteRegStr HKCU "${APPLICATION}" "FriendlyAppName" "Rigscope"
  WriteRegStr HKCU "${APPLICATION}\shell\open\command" "" '"$INSTDIR\rigscope-window.exe" "%1"'
  !insertmacro offer "glb"
  !insertmacro offer "gltf"
  !insertmacro offer "vrm"
  !insertmacro offer "fbx"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Rigscope"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\rigscope.exe,0"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Rigscope authors"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  SectionGetSize 0 $0
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
  !insertmacro refresh
SectionEnd

Section Uninstall
  ; Only files that the installer wrote: the folder may hold files of the user.
  !include "${REMOVED}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Rigscope.lnk"
  !insertmacro withdraw "glb"
  !insertmacro withdraw "gltf"
  !insertmacro withdraw "vrm"
  !insertmacro withdraw "fbx"
  DeleteRegKey HKCU "${TYPE}"
  DeleteRegKey HKCU "${APPLICATION}"
  DeleteRegKey HKCU "${UNINSTALL}"
  !insertmacro refresh
SectionEnd
