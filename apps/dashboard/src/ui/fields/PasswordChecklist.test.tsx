import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'

import { PasswordChecklist } from './PasswordChecklist.tsx'

afterEach(cleanup)

const lines = () => screen.getAllByRole('listitem').map((item) => item.textContent)

describe('PasswordChecklist', () => {
  it('shows the four criteria and no length', () => {
    render(<PasswordChecklist value="" />)
    expect(lines()).toEqual(['uppercasenot met', 'lowercasenot met', 'numbernot met', 'special characternot met'])
  })

  it('follows the password as it changes', () => {
    const { rerender } = render(<PasswordChecklist value="A" />)
    expect(lines()[0]).toBe('uppercasemet')
    expect(lines()[1]).toBe('lowercasenot met')
    rerender(<PasswordChecklist value="a1?" />)
    expect(lines()).toEqual(['uppercasenot met', 'lowercasemet', 'numbermet', 'special charactermet'])
  })

  it.each(['.', ',', '?', '@', '*', '!', '$', '%', '#', '^', '&'])('takes %s as a special character', (character) => {
    render(<PasswordChecklist value={character} />)
    expect(lines()[3]).toBe('special charactermet')
  })

  it.each(['-', '_', ' ', '+'])('does not take %s as a special character', (character) => {
    render(<PasswordChecklist value={character} />)
    expect(lines()[3]).toBe('special characternot met')
  })
})
