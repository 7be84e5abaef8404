import { CREATE2_PREFIX } from '@kassa/keys/evm/create2.ts'
import { delegateKey, depositKey } from '@kassa/keys/evm/deposit-contracts.ts'
import type { SweepVaults } from '../../adapter.ts'
import { vaultKey } from '../../vault-contract/addresses.ts'
import { encodeFactoryCall } from '../../vault-contract/calls.ts'
import { releasedContracts } from '../../vault-contract/released.ts'
import { addressKey, addressText } from '../addresses/addresses.ts'
import { fromHex } from '../encoding/hex.ts'
import { abiAddress, decodeCall, encodeCall } from './calls.ts'
import { knownFactory, requireFactory } from './factories.ts'
import { readCodeHash, readCreation, readIsOurs, readSent, readVaultState } from './on-chain.ts'
import { quoteSweep } from './quote.ts'

const { tvm } = CREATE2_PREFIX

/** Vaults of TRON: the same contracts, at CREATE2 addresses with TRON's own first byte (money.md 6.2, 6.10). */
export const tronVaults: SweepVaults = {
  released: (chain) => releasedContracts(knownFactory(chain)),
  factory: requireFactory,
  vault(chain, { owner, salt }) {
    const place = { factory: addressKey(requireFactory(chain)), owner: addressKey(owner), salt: fromHex(salt.slice(2)) }
    return addressText(vaultKey(place, tvm))
  },
  deposit: (_chain, vault, salt) => addressText(depositKey(addressKey(vault), BigInt(salt), tvm)),
  delegate: (_chain, vault) => addressText(delegateKey(addressKey(vault), tvm)),
  creation(chain, { salt, collector }) {
    const data = encodeFactoryCall({ kind: 'createVault', salt, collector: abiAddress(collector) })
    return { to: requireFactory(chain), data, value: 0n }
  },
  call: (vault, call) => ({ to: vault, data: encodeCall(call), value: 0n }),
  decode: decodeCall,
  created: readCreation,
  state: readVaultState,
  isOurs: readIsOurs,
  quote: quoteSweep,
  sent: readSent,
  codeHash: readCodeHash,
}
