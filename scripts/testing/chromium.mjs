import { Refusal } from '../bootstrap/command.mjs'
import { canInstall, installDebianPackage, isOnPath } from './debian.mjs'

/** Makes sure that the end-to-end tests find a Chromium. @throws Refusal that says how to get one. */
export async function needChromium() {
  if (isOnPath('chromium')) return
  if (canInstall) return installDebianPackage('chromium')
  throw new Refusal('The end-to-end tests need the program chromium on PATH (Debian: sudo apt-get install chromium).')
}
