import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'

const text = z.string()

/** Why reading a blockchain halted until an operator resumes it. */
export const Halt = z.union([
  z.object({ case: z.literal('too_deep'), limit: int, height: int }),
  z.object({ case: z.literal('below_final'), height: int }),
  /** `detail` names the entry of the journal that the database refused. */
  z.object({ case: z.literal('spent'), detail: text }),
  z.object({ case: z.literal('resume_block_gone'), height: int }),
  z.object({ case: z.literal('resume_spent'), height: int, detail: text }),
])

export type Halt = z.output<typeof Halt>

/** Returns why reading halted, as a sentence. */
export function haltText(halt: Halt): string {
  switch (halt.case) {
    case 'too_deep':
      return `The node replaced more than ${halt.limit} blocks below ${halt.height}. Compare it with another source.`
    case 'below_final':
      return `The node replaced block ${halt.height}, which was final. Compare it with another source.`
    case 'spent':
      return `The chain reverted money that was already spent: ${halt.detail}.`
    case 'resume_block_gone':
      return `Block ${halt.height} is not stored any more.`
    case 'resume_spent':
      return `Going back to block ${halt.height} would revert money that was spent: ${halt.detail}.`
  }
}
