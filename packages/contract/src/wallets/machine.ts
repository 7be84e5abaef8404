import { defineMachine } from '@kassa/primitives/machine.ts'

/**
 * A wallet (money.md 5.1). An inactive deposit wallet hands out no new address, and those it gave out are always watched;
 * an inactive hot wallet signs nothing new; an inactive cold wallet is offered for nothing new.
 */
export const walletMachine = defineMachine({
  name: 'wallet',
  states: ['active', 'inactive'],
  initial: 'active',
  final: [],
  moves: {
    deactivate: { from: ['active'], to: 'inactive' },
    activate: { from: ['inactive'], to: 'active' },
  },
})
