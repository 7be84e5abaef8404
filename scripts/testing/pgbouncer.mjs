import { existsSync } from 'node:fs'

import { canInstall, installDebianPackage, isOnPath } from './debian.mjs'

/** Installs pgbouncer where that can be done; elsewhere the tests behind a pooler say that they are not run. */
export async function wantPgbouncer() {
  const isHere = isOnPath('pgbouncer') || existsSync('/usr/sbin/pgbouncer')
  if (!isHere && canInstall) await installDebianPackage('pgbouncer')
}
