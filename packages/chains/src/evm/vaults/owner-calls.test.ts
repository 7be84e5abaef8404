import { codeHashOf, ownerCallData, vaultAddressOf } from '@kassa/keys/vault-calls.ts'
import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { describe, expect, it } from 'vitest'
import { chainOf } from '../../testing/anvil-chain.ts'
import { RELEASED_CODE_HASHES } from '../../vault-contract/code.ts'
import { evmVaults } from './vaults.ts'

const OWNER = '0x1111111111111111111111111111111111111111'
const TO = '0x2222222222222222222222222222222222222222'
const SALT = `0x${'07'.repeat(32)}`

/** What the page makes in the browser is what the server's library makes. */
describe('what an owner’s wallet is asked to send', () => {
  const chain = chainOf('ETH', 'mainnet')

  it('is the call that creates a contract, at the address that was computed before', () => {
    const call = { salt: SALT, collector: TO }
    expect(ownerCallData({ kind: 'createVault', ...call })).toBe(evmVaults.creation(chain, call).data)
    const factory = evmVaults.factory(chain)
    const place = { factory, bytecode: kassaVault.bytecode, owner: OWNER, salt: SALT }
    expect(vaultAddressOf(place)).toBe(evmVaults.vault(chain, { owner: OWNER, salt: SALT }))
  })

  it('is each call about the collector', () => {
    expect(ownerCallData({ kind: 'proposeCollector', to: TO })).toBe(
      evmVaults.call(TO, { kind: 'proposeCollector', to: TO }).data,
    )
    for (const kind of ['acceptCollector', 'cancelCollector'] as const) {
      expect(ownerCallData({ kind })).toBe(evmVaults.call(TO, { kind }).data)
    }
  })

  it('goes to a factory whose code hashes to that of the release', () => {
    expect(codeHashOf(kassaFactory.runtime)).toBe(RELEASED_CODE_HASHES.factory)
  })
})
