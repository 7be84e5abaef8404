import { checksumAddress } from '@kassa/keys/address-text.ts'
import type { SweepVaults } from '../../adapter.ts'
import { fromHex } from '../encoding/hex.ts'
import { depositKey, factoryKey, vaultKey } from './addresses.ts'
import { decodeVaultCall, encodeFactoryCall, encodeVaultCall } from './calls.ts'
import { readCodeHash, readCreation, readVaultState } from './on-chain.ts'

const FACTORY = checksumAddress(factoryKey())

/** Vaults of EVM chains: packages/solidity, docs/design/money.md 6.2. */
export const evmVaults: SweepVaults = {
  factory: () => FACTORY,
  vault(_chain, { owner, salt }) {
    return checksumAddress(vaultKey({ factory: factoryKey(), owner: fromHex(owner), salt: fromHex(salt) }))
  },
  deposit: (_chain, vault, salt) => checksumAddress(depositKey(fromHex(vault), BigInt(salt))),
  creation(_chain, { salt, collector }) {
    return { to: FACTORY, data: encodeFactoryCall({ kind: 'createVault', salt, collector }), value: 0n }
  },
  call: (vault, call) => ({ to: vault, data: encodeVaultCall(call), value: 0n }),
  decode: decodeVaultCall,
  created: readCreation,
  state: readVaultState,
  codeHash: readCodeHash,
}
