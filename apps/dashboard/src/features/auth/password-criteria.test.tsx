import { PASSWORD_CLASSES } from '@kassa/contract/operators/schemas.ts'
import { cleanup, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { PasswordChecklist } from '../../ui/fields/PasswordChecklist.tsx'

/** Every character a keyboard of these scripts makes in one press, and a letter beyond ASCII of each case. */
const CHARACTERS = [...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)), 'É', 'ß']

function metOnScreen(value: string): boolean[] {
  render(<PasswordChecklist value={value} />)
  const met = screen.getAllByRole('listitem').map((item) => !(item.textContent ?? '').endsWith('not met'))
  cleanup()
  return met
}

describe('password criteria', () => {
  it('are the same on the checklist and in the contract', () => {
    for (const character of CHARACTERS) {
      const met = PASSWORD_CLASSES.map(({ pattern }) => pattern.test(character))
      expect([character, ...metOnScreen(character)]).toEqual([character, ...met])
    }
  })
})
