/** Every setting the environment may hold: one schema, read once at start. Only this folder reads the environment. */
import { isIP } from 'node:net'

import { isHttpUrl } from '@kassa/contract/kit/fields.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import * as z from 'zod/mini'

import { SETTINGS, type SettingName } from './settings.ts'
import { VERSION } from './version.ts'

export type Network = 'sandbox' | 'testnet' | 'mainnet'
/** `chains`: runs the local chains of the sandbox. */
export type ProcessRole = 'api' | 'worker' | 'watcher' | 'sender' | 'chains'

const portText = z.string().check(
  z.regex(/^\d{1,5}$/),
  z.refine((port) => Number(port) <= 65_535),
)
const hostText = z.string().check(z.refine((host) => isIP(host) !== 0 || /^[a-z][a-z\d.-]*$/i.test(host)))
const databaseText = z.string().check(z.regex(/^postgres(ql)?:\/\//))
const webText = z.string().check(z.refine(isHttpUrl))

const ROLE_NAMES: readonly ProcessRole[] = ['api', 'worker', 'watcher', 'sender', 'chains']

/** What one hash of a password costs: argon2id, RFC 9106. */
export type PasswordCost = { readonly memoryKib: number; readonly passes: number; readonly lanes: number }

/** RFC 9106 §4, second recommendation (64 MiB, 3 passes), in one lane: two run at once and share two cores. */
export const PASSWORD_COST: PasswordCost = { memoryKib: 65_536, passes: 3, lanes: 1 }

/** What the program runs with, after defaults. */
export type Config = {
  readonly network: Network
  readonly roles: readonly ProcessRole[]
  /** Ids of blockchains whose local chain the sandbox switches on at start. */
  readonly sandboxChains: readonly number[]
  readonly port: number
  readonly bind: string
  /** Addresses and networks of proxies whose headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** The data folder. */
  readonly home: string
  readonly databaseUrl: string
  /** For LISTEN, session locks and migrations, which a pooler in transaction mode breaks. */
  readonly databaseDirectUrl: string
  /** The origin payers and operators see, or null when none is set. */
  readonly siteUrl: string | null
  /** Where the master key comes from; the key itself is no setting. */
  readonly masterKeySource: 'file' | 'env'
  readonly metricsToken: string | null
  readonly docsUrl: string | null
  readonly logLevel: string
  /** No variable changes it. */
  readonly passwordCost: PasswordCost
  readonly version: string
}

/** The settings from the environment, before the database and the master key are found. */
export type Environment = Omit<Config, 'databaseUrl' | 'databaseDirectUrl' | 'version'> & {
  readonly databaseUrl: string | null
  readonly databaseDirectUrl: string | null
  readonly masterKeyText: string | null
  readonly masterKeyFile: string | null
}

/** A setting that cannot be used; its message is a sentence for the person who starts the program. */
export class SettingError extends Error {}

/** Reads and checks the settings. @throws SettingError with a sentence that names the setting and what it accepts */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const text = (name: SettingName) => variables[name]?.trim() || null
  const network = parse('KASSA_NETWORK', z.enum(['sandbox', 'testnet', 'mainnet']), text('KASSA_NETWORK') ?? 'sandbox')
  const port = Number(parse('PORT', portText, text('PORT') ?? '8080'))
  const siteUrl = text('KASSA_SITE_URL') ?? (network === 'sandbox' ? `http://localhost:${port}` : null)
  if (siteUrl === null) {
    throw new SettingError(`KASSA_SITE_URL is required on ${network}: the address people reach this server at.`)
  }
  return {
    network,
    roles: readRoles(text('KASSA_ROLES') ?? ROLE_NAMES.join()),
    sandboxChains: readSandboxChains(text('KASSA_SANDBOX_CHAINS') ?? ''),
    port,
    bind: parse('KASSA_BIND', hostText, text('KASSA_BIND') ?? (network === 'sandbox' ? '127.0.0.1' : '0.0.0.0')),
    trustedProxies: readProxies(text('KASSA_TRUSTED_PROXIES') ?? ''),
    home: text('KASSA_HOME') ?? '.kassa',
    databaseUrl: optional('DATABASE_URL', databaseText, text('DATABASE_URL')),
    databaseDirectUrl: optional('DATABASE_DIRECT_URL', databaseText, text('DATABASE_DIRECT_URL')),
    siteUrl: readOrigin('KASSA_SITE_URL', siteUrl),
    masterKeySource: text('KASSA_MASTER_KEY') === null ? 'file' : 'env',
    masterKeyText: text('KASSA_MASTER_KEY'),
    masterKeyFile: text('KASSA_MASTER_KEY_FILE'),
    metricsToken: text('KASSA_METRICS_TOKEN'),
    docsUrl: optional('KASSA_DOCS_URL', webText, text('KASSA_DOCS_URL')),
    logLevel: parse('KASSA_LOG_LEVEL', z.enum(['debug', 'info', 'warn', 'error']), text('KASSA_LOG_LEVEL') ?? 'info'),
    passwordCost: PASSWORD_COST,
  }
}

function readRoles(text: string): ProcessRole[] {
  const names = text.split(',').map((name) => name.trim())
  const roles = ROLE_NAMES.filter((role) => names.includes(role))
  if (roles.length === 0 || roles.length !== new Set(names).size) throw invalid('KASSA_ROLES')
  return roles
}

function readSandboxChains(value: string): number[] {
  const names = value.split(/[\s,]+/).filter((name) => name !== '')
  return names.map((name) => {
    const blockchain = findBlockchain(name)
    if (!blockchain) throw invalid('KASSA_SANDBOX_CHAINS')
    return blockchain.id
  })
}

function readOrigin(name: SettingName, text: string): string {
  const url = URL.parse(text)
  if (!url || !isHttpUrl(text) || url.href !== `${url.origin}/`) throw invalid(name)
  return url.origin
}

function readProxies(value: string): string[] {
  const items = value.split(/[\s,]+/).filter((item) => item !== '')
  for (const item of items) {
    const [address = '', bits] = item.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= most)
    if (isIP(address) === 0 || !isNetwork) throw invalid('KASSA_TRUSTED_PROXIES')
  }
  return items
}

function parse<S extends z.ZodMiniType>(name: SettingName, schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw invalid(name)
  return result.data
}

function optional<S extends z.ZodMiniType>(name: SettingName, schema: S, value: string | null): z.output<S> | null {
  return value === null ? null : parse(name, schema, value)
}

function invalid(name: SettingName): SettingError {
  return new SettingError(`${name} is not valid. It accepts: ${SETTINGS[name].accepts}.`)
}

/** The settings once the database is found, without the master key: a process has derived keys instead. */
export function configOf(environment: Environment, databaseUrl: string): Config {
  const { masterKeyText: _text, masterKeyFile: _file, ...rest } = environment
  return { ...rest, databaseUrl, databaseDirectUrl: environment.databaseDirectUrl ?? databaseUrl, version: VERSION }
}

/** Reads the settings of this process. @throws SettingError */
export function processEnvironment(): Environment {
  return readEnvironment(process.env)
}

/** The passphrase of backups, when the environment names one. */
export function backupPassphrase(): string | null {
  return process.env.KASSA_BACKUP_PASSPHRASE || null
}
