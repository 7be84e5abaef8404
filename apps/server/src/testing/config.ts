import { randomBytes } from 'node:crypto'

import type { Config } from '../config/config.ts'
import { type Keys, keysOf } from '../config/keys.ts'

/** What a test's program runs with: the sandbox on this database. */
export function testConfig(connectionString: string, overrides: Partial<Config> = {}): Config {
  return {
    network: 'sandbox',
    roles: ['api', 'worker', 'watcher'],
    sandboxChains: [],
    port: 8080,
    bind: '127.0.0.1',
    trustedProxies: [],
    home: '/nonexistent',
    databaseUrl: connectionString,
    databaseDirectUrl: connectionString,
    siteUrl: 'http://localhost:8080',
    masterKeySource: 'file',
    metricsToken: null,
    docsUrl: null,
    logLevel: 'info',
    passwordCost: { memoryKib: 8, passes: 1, lanes: 1 },
    version: '0.0.0-test',
    ...overrides,
  }
}

/** Every key, of a master key of its own unless one is given. */
export function testKeys(masterKey: Buffer = randomBytes(32)): Keys {
  return keysOf(masterKey, ['api'])
}
