import { describe, expect, it } from 'vitest'

import { readEnvironment, SettingError } from './config.ts'
import { SETTINGS } from './settings.ts'

const MAINNET = { KASSA_NETWORK: 'mainnet', KASSA_SITE_URL: 'https://pay.shop.example' }

describe('config.readEnvironment', () => {
  it('needs nothing in the sandbox', () => {
    expect(readEnvironment({})).toEqual({
      network: 'sandbox',
      roles: ['api', 'worker', 'watcher', 'sender', 'chains'],
      sandboxChains: [],
      port: 8080,
      bind: '127.0.0.1',
      trustedProxies: [],
      home: '.kassa',
      databaseUrl: null,
      databaseDirectUrl: null,
      siteUrl: 'http://localhost:8080',
      masterKeySource: 'file',
      masterKeyText: null,
      masterKeyFile: null,
      metricsToken: null,
      docsUrl: null,
      logLevel: 'info',
      passwordCost: { memoryKib: 65_536, passes: 3, lanes: 1 },
    })
  })

  it('takes what is set, without the spaces around it, and an empty value for none', () => {
    const environment = readEnvironment({
      PORT: ' 9000 ',
      KASSA_HOME: '/var/lib/kassa',
      DATABASE_URL: 'postgresql://kassa:secret@db.example:5432/kassa?sslmode=require',
      DATABASE_DIRECT_URL: 'postgres:///kassa?host=/run/postgresql',
      KASSA_NETWORK: 'testnet',
      KASSA_ROLES: 'worker, watcher',
      KASSA_SANDBOX_CHAINS: 'polygon, TRX',
      KASSA_SITE_URL: 'https://pay.shop.example/',
      KASSA_BIND: '::',
      KASSA_TRUSTED_PROXIES: '10.0.0.4, 10.1.0.0/16,fd00::/8',
      KASSA_METRICS_TOKEN: '',
      KASSA_DOCS_URL: 'https://docs.shop.example/kassa',
      KASSA_LOG_LEVEL: 'warn',
    })
    expect(environment).toMatchObject({
      port: 9000,
      home: '/var/lib/kassa',
      databaseUrl: 'postgresql://kassa:secret@db.example:5432/kassa?sslmode=require',
      databaseDirectUrl: 'postgres:///kassa?host=/run/postgresql',
      network: 'testnet',
      roles: ['worker', 'watcher'],
      sandboxChains: [5, 3],
      siteUrl: 'https://pay.shop.example',
      bind: '::',
      trustedProxies: ['10.0.0.4', '10.1.0.0/16', 'fd00::/8'],
      metricsToken: null,
      docsUrl: 'https://docs.shop.example/kassa',
      logLevel: 'warn',
    })
  })

  it('opens the port to the outside and asks for the address people use, except in the sandbox', () => {
    expect(readEnvironment(MAINNET).bind).toBe('0.0.0.0')
    expect(readEnvironment({ PORT: '81' }).siteUrl).toBe('http://localhost:81')
    for (const network of ['testnet', 'mainnet']) {
      expect(() => readEnvironment({ KASSA_NETWORK: network })).toThrow(
        new SettingError(`KASSA_SITE_URL is required on ${network}: the address people reach this server at.`),
      )
    }
  })

  it.each([
    ['PORT', ['http', '-1', '65536', '80.5', '0x50', '1e3']],
    ['KASSA_NETWORK', ['production', 'Sandbox']],
    ['KASSA_TRUSTED_PROXIES', ['proxy.example', '10.0.0.0/33', '10.0.0.0/0', '::/129', '10.0.0.4/x']],
    ['KASSA_ROLES', ['all', 'api,web', 'api,,worker', ',']],
    [
      'KASSA_SITE_URL',
      [
        'shop.example',
        'ftp://shop.example',
        'https://shop.example/pay',
        'https://a:b@shop.example',
        'https://shop.example/?a=b',
      ],
    ],
    ['KASSA_BIND', ['everywhere!', 'http://0.0.0.0', '127.0.0.1:8080', '1.2.3']],
    ['DATABASE_URL', ['kassa', 'mysql://db.example/kassa', 'http://db.example']],
    ['DATABASE_DIRECT_URL', ['db.example:5432']],
    ['KASSA_DOCS_URL', ['docs', 'javascript:alert(1)']],
    ['KASSA_LOG_LEVEL', ['verbose', 'INFO']],
  ] as const)('refuses %s with a sentence that says what it accepts', (name, values) => {
    for (const value of values) {
      const sentence = `${name} is not valid. It accepts: ${SETTINGS[name].accepts}.`
      expect(() => readEnvironment({ [name]: value })).toThrow(new SettingError(sentence))
    }
  })

  it('never repeats a value: it may hold a password', () => {
    const read = () => readEnvironment({ DATABASE_URL: 'mysql://kassa:hunter2@db.example' })
    expect(read).toThrow(SettingError)
    expect(read).not.toThrow(/hunter2/)
  })
})
