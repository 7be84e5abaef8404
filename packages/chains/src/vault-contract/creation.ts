import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import type { Hex } from 'viem'

import { abiCoder } from './abi-coder.ts'

type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

/**
 * What a factory says that it created, with addresses in hex: who called it, directly or through a multi-signature wallet,
 * owns the vault. All hex has `0x`.
 */
export function creationsIn(
  logs: readonly Log[],
  factory: string,
): { readonly vault: Hex; readonly salt: Hex; readonly owner: Hex }[] {
  const { encodeEventTopics, parseEventLogs } = abiCoder()
  const [topic] = encodeEventTopics({ abi: kassaFactory.abi, eventName: 'VaultCreated' })
  const ours = logs.filter(({ address, topics }) => address === factory && topics[0] === topic)
  const parsed = parseEventLogs({
    abi: kassaFactory.abi,
    logs: ours as unknown as Parameters<typeof parseEventLogs>[0]['logs'],
  })
  return parsed.map(({ args: { vault, salt, owner } }) => ({ vault, salt, owner }))
}
