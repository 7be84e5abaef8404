import { randomBytes } from 'node:crypto'

import type { Config } from '../config/config.ts'

/** What a test's program runs with: the sandbox on this database, with a master key of its own. */
export function testConfig(connectionString: string, overrides: Partial<Config> = {}): Config {
  return {
    network: 'sandbox',
    roles: ['api', 'worker', 'watcher'],
    port: 8080,
    bind: '127.0.0.1',
    trustedProxies: [],
    home: '/nonexistent',
    databaseUrl: connectionString,
    databaseDirectUrl: connectionString,
    siteUrl: 'http://localhost:8080',
    masterKey: randomBytes(32),
    metricsToken: null,
    docsUrl: null,
    logLevel: 'info',
    passwordCost: { memoryKib: 8, passes: 1, lanes: 1 },
    version: '0.0.0-test',
    ...overrides,
  }
}
