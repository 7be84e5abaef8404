import type { Halt } from '@kassa/contract/blockchains/halts.ts'
import { t } from '@lingui/core/macro'

/** Returns why reading a network halted until an operator resumes it. */
export function haltText(halt: Halt): string {
  switch (halt.case) {
    case 'too_deep': {
      const { limit, height } = halt
      return t`The node replaced more than ${limit} blocks below ${height}. Compare it with another source.`
    }
    case 'below_final': {
      const { height } = halt
      return t`The node replaced block ${height}, which was final. Compare it with another source.`
    }
    case 'spent': {
      const { detail } = halt
      return t`The chain reverted money that was already spent: ${detail}.`
    }
    case 'resume_block_gone': {
      const { height } = halt
      return t`Block ${height} is not stored any more.`
    }
    case 'resume_spent': {
      const { height, detail } = halt
      return t`Going back to block ${height} would revert money that was spent: ${detail}.`
    }
  }
}
