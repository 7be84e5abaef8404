import { say } from '../bootstrap/command.mjs'
import { canInstall, installDebianPackage, isOnPath } from './debian.mjs'

/**
 * Installs a node that serves as one of Bitcoin where that can be done; elsewhere the tests on a real one are left out,
 * and this says so. Debian has Litecoin Core, which is the same code.
 */
export async function wantLitecoin() {
  if (isOnPath('bitcoind') || isOnPath('litecoind')) return
  if (canInstall) await installDebianPackage('litecoind')
  else say('Left out: tests of Bitcoin on a real node. They need bitcoind or litecoind on PATH, or root on Debian.')
}
