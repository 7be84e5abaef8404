import type { Permissions } from '../../adapter.ts'
import { checkSignature } from './check.ts'
import { compose, composeAhead } from './compose.ts'
import { readValidity } from './validity.ts'

/** Permissions of EVM accounts: approve, permit (EIP-2612), delegation (EIP-7702), and a transfer where none of them can be. */
export const evmPermissions: Permissions = {
  compose,
  ahead: composeAhead,
  check: checkSignature,
  validity: readValidity,
}
