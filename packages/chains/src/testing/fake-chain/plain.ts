import type { FakeTransaction } from './transactions.ts'

/** What only transactions of Ethereum have. */
export const PLAIN = {
  value: 0n,
  isSuccess: true,
  gasUsed: 0n,
  logs: [],
  calls: [],
  moves: [],
} as const satisfies Omit<FakeTransaction, 'hash' | 'from' | 'to'>
