import { SANDBOX_TOKENS, SANDBOX_TRON_FACTORY } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { silentToken } from '@kassa/solidity/generated/silent-token.ts'
import { testToken } from '@kassa/solidity/generated/test-token.ts'
import { encodeDeployData } from 'viem'
import { addressText } from '../../tron/addresses/addresses.ts'
import { fromHex, toHex } from '../../tron/encoding/hex.ts'
import type { VirtualMachine } from './virtual-machine.ts'

/** More than test payments can spend: a billion TRX, and a billion whole units of each token with 6 decimals. */
const PAYER_SUN = 10n ** 15n
const SUPPLY = 10n ** 15n

/** The same tokens at the same 20 bytes as on the local chains of the EVM family; the last one is listed nowhere. */
const TOKENS = [
  { code: testToken, name: 'USD Coin', symbol: 'USDC', address: SANDBOX_TOKENS.usdc },
  { code: silentToken, name: 'Tether USD', symbol: 'USDT', address: SANDBOX_TOKENS.usdt },
  { code: testToken, name: 'USD Coin', symbol: 'USDC', address: SANDBOX_TOKENS.lookAlikeUsdc },
] as const

/** Gives the payer everything that there is on a new chain, and puts the factory of sweep contracts there. */
export async function makeGenesis(machine: VirtualMachine, payer: Uint8Array): Promise<void> {
  await machine.setBalance(payer, PAYER_SUN)
  const deployer = fromHex(SANDBOX_TOKENS.deployer.slice(2))
  for (const { code, name, symbol, address } of TOKENS) {
    const args = [name, symbol, 6, SUPPLY, `0x${toHex(payer)}`] as const
    const data = encodeDeployData({ abi: code.abi, bytecode: code.bytecode, args })
    const created = await machine.create(deployer, fromHex(data.slice(2)))
    if (`0x${toHex(created)}` !== address.toLowerCase()) throw new Error(`${symbol} is not at its address`)
  }
  const factory = await machine.create(deployer, fromHex(kassaFactory.bytecode.slice(2)))
  if (addressText(factory) !== SANDBOX_TRON_FACTORY) throw new Error('The factory is not at its address')
}
