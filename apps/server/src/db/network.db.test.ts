import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { SettingError } from '../config/config.ts'
import { type TestDatabase, testDatabase } from '../testing/database/test-database.ts'
import { claimNetwork } from './network.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

describe('db.claimNetwork', () => {
  it('keeps a database to the network it began with, in a sentence', async () => {
    const claim = (network: 'sandbox' | 'testnet' | 'mainnet') => claimNetwork(database.connectionString, network)
    await Promise.all([claim('testnet'), claim('testnet')])
    await claim('testnet')
    for (const other of ['sandbox', 'mainnet'] as const) {
      await expect(claim(other)).rejects.toThrow(
        new SettingError(
          `This database belongs to testnet, and KASSA_NETWORK is ${other}. Use another database or KASSA_HOME.`,
        ),
      )
    }
  })
})
