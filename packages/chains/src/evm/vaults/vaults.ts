import { checksumAddress } from '@kassa/keys/address-text.ts'
import { delegateKey, depositKey } from '@kassa/keys/evm/deposit-contracts.ts'
import type { SweepVaults } from '../../adapter.ts'
import { fromHex } from '../encoding/hex.ts'
import { vaultKey } from '../../vault-contract/addresses.ts'
import { decodeVaultCall, encodeFactoryCall, encodeVaultCall } from '../../vault-contract/calls.ts'
import { releasedContracts } from '../../vault-contract/released.ts'
import { factoryKey } from './addresses.ts'
import { readCodeHash, readCreation, readIsOurs, readSent, readVaultState } from './on-chain.ts'
import { quoteSweep } from './quote.ts'

const FACTORY = checksumAddress(factoryKey())

const RELEASED = releasedContracts(FACTORY)

/** Vaults of EVM chains: packages/solidity, docs/design/money.md 6.2. */
export const evmVaults: SweepVaults = {
  released: () => RELEASED,
  factory: () => FACTORY,
  vault(_chain, { owner, salt }) {
    return checksumAddress(vaultKey({ factory: factoryKey(), owner: fromHex(owner), salt: fromHex(salt) }))
  },
  deposit: (_chain, vault, salt) => checksumAddress(depositKey(fromHex(vault), BigInt(salt))),
  delegate: (_chain, vault) => checksumAddress(delegateKey(fromHex(vault))),
  creation(_chain, { salt, collector }) {
    return { to: FACTORY, data: encodeFactoryCall({ kind: 'createVault', salt, collector }), value: 0n }
  },
  call: (vault, call) => ({ to: vault, data: encodeVaultCall(call), value: 0n }),
  decode: decodeVaultCall,
  created: readCreation,
  state: readVaultState,
  isOurs: readIsOurs,
  quote: quoteSweep,
  sent: readSent,
  codeHash: readCodeHash,
}
