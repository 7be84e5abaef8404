import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { temporaryFolder } from './temporary.mjs'
import { canInstall, installDebianPackage } from './debian.mjs'

const programs = '/usr/lib/postgresql/15/bin'

/**
 * Runs the work with the address of a PostgreSQL 15: the one named by `KASSA_TEST_DATABASE_URL`, or a throw-away one
 * of Debian's, which needs root. Returns undefined, and does not run it, where there is neither.
 */
export async function withPostgres15(work) {
  const given = process.env.KASSA_TEST_DATABASE_URL
  if (given) return work(given)
  if (!canInstall) return undefined
  if (!existsSync(programs)) await installDebianPackage('postgresql-15')
  const cluster = start()
  try {
    return await work(cluster.url)
  } finally {
    cluster.stop()
  }
}

function start() {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
  const folder = mkdtempSync(join(temporaryFolder(), 'kassa-postgres-15-'))
  chmodSync(folder, 0o700)
  chownSync(folder, uid, gid)
  const as = { uid, gid, cwd: folder, stdio: 'ignore' }
  const data = `${folder}/data`
  execFileSync(
    `${programs}/initdb`,
    ['-D', data, '-U', 'kassa', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    as,
  )
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off -c max_connections=100`
  execFileSync(`${programs}/pg_ctl`, ['-D', data, '-w', '-l', `${folder}/log`, '-o', options, 'start'], as)
  const stop = () => {
    execFileSync(`${programs}/pg_ctl`, ['-D', data, '-w', '-m', 'immediate', 'stop'], as)
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: `postgresql://kassa@localhost/postgres?host=${encodeURIComponent(folder)}`, stop }
}
