import { defineMachine } from '@kassa/primitives/machine.ts'

/** A person who may sign in, or once could (api.md O). A deleted member keeps the row, so that their actions stay readable. */
export const memberMachine = defineMachine({
  name: 'member',
  states: ['invited', 'active', 'inactive', 'deleted'],
  initial: 'invited',
  final: ['deleted'],
  moves: {
    /** They chose their first password; a member who is given one starts here. */
    accept: { from: ['invited'], to: 'active' },
    revoke: { from: ['invited', 'active'], to: 'inactive' },
    activate: { from: ['inactive'], to: 'active' },
    /** Like `activate`, for a member who never chose a password. */
    inviteAgain: { from: ['inactive'], to: 'invited' },
    delete: { from: ['invited', 'active', 'inactive'], to: 'deleted' },
  },
})

export type MemberState = (typeof memberMachine.states)[number]
