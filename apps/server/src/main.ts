/** Reads the settings, starts the roles of this process, and drains them on a signal. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Logger } from 'pino'

import type { App } from './app.ts'
import { type Config, configOf, type Environment, processEnvironment, SettingError } from './config/config.ts'
import { keysOf } from './config/keys.ts'
import { findMasterKey } from './config/master-key.ts'
import { migrate } from './db/migrate.ts'
import { claimNetwork } from './db/network.ts'
import { createLog, openLogFile } from './log/log.ts'
import { checkPort, claimInstance } from './process/instance.ts'
import type { SandboxChains } from './sandbox/chains.ts'
import { StartError } from './process/start-error.ts'

/** The started parts, newest last; stopped in reverse order. */
type Started = { readonly name: string; readonly stop: () => Promise<void> | void }[]

/** A part that does not end within this is abandoned; unfinished work is repeated after the next start. */
const DRAIN_MS = 20_000

await main()

async function main(): Promise<void> {
  const started: Started = []
  try {
    const environment = processEnvironment()
    const url = environment.siteUrl ?? `http://localhost:${environment.port}`
    if (environment.roles.includes('api')) await checkPortUnlessRunning(environment, url)
    const instance = claimInstance({ home: environment.home, url })
    if (instance.kind === 'running') return say(`Kassa is already running on ${instance.url}`)
    started.push({ name: 'instance', stop: instance.release })
    const log = await openLog({ ...environment, home: instance.home })
    drainOnSignals(started, log)
    const app = await start({ ...environment, home: instance.home }, log, started)
    say(`Kassa is ready on ${url}`)
    if (environment.databaseUrl === null) await sayWhereDatabaseIs(instance.home)
    if (!environment.roles.includes('api'))
      return say(`  This process (${environment.roles.join(', ')}) opens no port.`)
    const first = (await app.hasAccount()) ? 'sign in' : 'create the first account'
    const money = environment.network === 'sandbox' ? ' Nothing here is real money.' : ''
    say(`  Open it in a browser to ${first}.${money}`)
  } catch (thrown) {
    process.exitCode = 1
    say(sentenceOf(thrown))
    await stopAll(started)
    process.exit()
  }
}

async function start(environment: Environment, log: Logger, started: Started): Promise<App> {
  requireHttpsOnMainnet(environment)
  const keys = keysOf(findMasterKey(environment), environment.roles)
  let app: App | undefined
  const asked = {
    needsBlocks: async (code: string) => app !== undefined && app.waitsForBlocks(code),
    readHeight: async (code: string) => (app === undefined ? null : app.readHeight(code)),
    switches: {
      isWanted: async (code: string) => app !== undefined && app.isSwitchedOn(code),
      setNode: async (code: string, url: string) => app?.setLocalNode(code, url),
      refuse: async (code: string, reason: string) => app?.refuseLocalChain(code, reason),
    },
  }
  const { promise: spawned, resolve: onSpawn } = Promise.withResolvers<void>()
  const beside = [
    openPostgres(environment, log, started),
    openChains(environment, log, started, { ...asked, onSpawn }),
  ] as const
  // The program is loaded while they start, but after their processes run, because Node does nothing else while it loads.
  await Promise.race([spawned, Promise.allSettled(beside)])
  const opening = [...beside, import('./app.ts')] as const
  // When one fails, the others must have finished starting before they can be stopped.
  await Promise.allSettled(opening)
  const [databaseUrl, chains, { createApp }] = await Promise.all(opening)
  const config = configOf(environment, databaseUrl)
  await migrate(config.databaseDirectUrl)
  await claimNetwork(config.databaseUrl, config.network)
  app = await createApp(config, { keys, log, chains })
  started.push({ name: 'app', stop: app.close })
  await requireFactorOnMainnet(app, config)
  await startRoles(app, config)
  return app
}

/** Starts every role of this process; `api` answers last, when the others run. */
async function startRoles(app: App, config: Config): Promise<void> {
  for (const role of ['worker', 'watcher', 'sender'] as const) if (config.roles.includes(role)) await app.start(role)
  if (config.roles.includes('api')) await app.http.listen({ port: config.port, host: config.bind })
}

async function openPostgres(environment: Environment, log: Logger, started: Started): Promise<string> {
  if (environment.databaseUrl !== null) return environment.databaseUrl
  const { startPostgres } = await import('./db/embedded/start-postgres.ts')
  const postgres = await startPostgres({ home: environment.home, log, isSupervised: true })
  started.unshift({ name: 'postgres', stop: postgres.stop })
  return postgres.url
}

/** Says where the database is when it is outside of the data folder, which someone may delete. */
async function sayWhereDatabaseIs(home: string): Promise<void> {
  const { databaseElsewhere } = await import('./db/embedded/location.ts')
  const folder = databaseElsewhere(home)
  if (folder === null) return
  say(`  Its database is in ${folder}: PostgreSQL does not run as root, and no other user may enter ${home}.`)
  say('  To delete an install: npm run remove-data, which deletes both.')
}

/** One process of a sandbox runs its local chains; the others find them in the database. */
async function openChains(
  environment: Environment,
  log: Logger,
  started: Started,
  asked: {
    readonly needsBlocks: (code: string) => Promise<boolean>
    readonly readHeight: (code: string) => Promise<number | null>
    readonly switches: {
      readonly isWanted: (code: string) => Promise<boolean>
      readonly setNode: (code: string, url: string) => Promise<void>
      readonly refuse: (code: string, reason: string) => Promise<void>
    }
    readonly onSpawn: () => void
  },
): Promise<SandboxChains | null> {
  if (environment.network !== 'sandbox' || !environment.roles.includes('chains')) {
    asked.onSpawn()
    return null
  }
  const { startChains } = await import('./sandbox/chains.ts')
  const chains = await startChains({ home: environment.home, log, ...asked })
  started.unshift({ name: 'chains', stop: chains.stop })
  return chains
}

/** Distinguishes a port used by another Kassa of the same folder from one used by another program. */
async function checkPortUnlessRunning(environment: Environment, url: string): Promise<void> {
  try {
    await checkPort({ port: environment.port, bind: environment.bind })
  } catch (thrown) {
    const instance = claimInstance({ home: environment.home, url })
    if (instance.kind === 'mine') {
      instance.release()
      throw thrown
    }
  }
}

/** On mainnet, passwords, keys and addresses must travel encrypted. */
function requireHttpsOnMainnet({ network, siteUrl }: Environment): void {
  if (network !== 'mainnet' || siteUrl?.startsWith('https://')) return
  throw new SettingError(
    'KASSA_NETWORK=mainnet needs an https address: put TLS in front of this server, and name it in KASSA_SITE_URL, such as ' +
      'https://pay.shop.example.',
  )
}

/** On mainnet a password alone must not move money. No screen allows a weaker setting, so the database was changed directly. */
async function requireFactorOnMainnet({ factorPolicy }: App, { network }: Config): Promise<void> {
  if (network !== 'mainnet' || (await factorPolicy()) !== 'optional') return
  throw new StartError(
    'KASSA_NETWORK=mainnet asks for a second factor where money moves, and the setting security.second_factor says optional. ' +
      'Remove the row of that key from the table configuration, then start again.',
  )
}

async function openLog({ network, home, logLevel }: Environment): Promise<Logger> {
  if (network !== 'sandbox') return createLog(logLevel)
  return createLog(logLevel, await openLogFile(join(home, 'logs'), 'kassa.log'))
}

function drainOnSignals(started: Started, log: Logger): void {
  let isDraining = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isDraining) return
      isDraining = true
      log.info({ signal }, 'draining')
      void stopAll(started, log).then(() => process.exit(0))
    })
  }
}

/** Stops every part, even when one fails: no started process stays behind. */
async function stopAll(started: Started, log?: Logger): Promise<void> {
  const names = ['app', 'chains', 'postgres', 'instance']
  const inOrder = started.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
  for (const { name, stop } of inOrder) {
    try {
      const isLate = await Promise.race([stop(), sleep(DRAIN_MS, 'late')])
      if (isLate === 'late') log?.error({ part: name }, 'did not come to its end')
    } catch (err) {
      log?.error({ err, part: name }, 'did not stop cleanly')
    }
  }
}

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof SettingError || thrown instanceof StartError) return thrown.message
  if (!(thrown instanceof Error)) return String(thrown)
  const refusal = databaseRefusal(thrown)
  if (refusal === null) return `Kassa could not start: ${thrown.stack ?? thrown.message}`
  return `Kassa cannot use its database: ${refusal}. Check DATABASE_URL and DATABASE_DIRECT_URL, and that it runs.`
}

/** Why no connection could be opened, in the words of PostgreSQL or the network; null for another failure. */
function databaseRefusal(error: Error): string | null {
  if ('severity' in error && error.severity === 'FATAL') return error.message
  const code = 'code' in error ? String(error.code) : ''
  return ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT'].includes(code) ? code : null
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
