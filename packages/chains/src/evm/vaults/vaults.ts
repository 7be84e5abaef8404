import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { delegateKey, depositInit, depositKey } from '@kassa/keys/evm/deposit-contracts.ts'
import type { SweepVaults } from '../../adapter.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { factoryKey, vaultKey } from './addresses.ts'
import { decodeVaultCall, encodeFactoryCall, encodeVaultCall } from './calls.ts'
import { RELEASED_CODE_HASHES } from './code.ts'
import { readCodeHash, readCreation, readIsOurs, readSent, readVaultState } from './on-chain.ts'
import { quoteSweep } from './quote.ts'

const FACTORY = checksumAddress(factoryKey())

const VAULT = {
  abi: JSON.stringify(kassaVault.abi),
  bytecode: kassaVault.bytecode,
  address: null,
  codeHash: RELEASED_CODE_HASHES.vault,
}

/** The vault's address stands in the deposit contract: zero where no vault is meant. */
const RELEASED = {
  factory_contract: {
    abi: JSON.stringify(kassaFactory.abi),
    bytecode: kassaFactory.bytecode,
    address: FACTORY,
    codeHash: RELEASED_CODE_HASHES.factory,
  },
  fund_sweeper: VAULT,
  sweep_approval: VAULT,
  deposit_wallet: {
    abi: '[]',
    bytecode: toHex(depositInit(new Uint8Array(20))),
    address: null,
    codeHash: RELEASED_CODE_HASHES.deposit,
  },
}

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
