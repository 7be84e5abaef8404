import { describe, expect, it } from 'vitest'

import { newPassword } from './schemas.ts'

const firstText = (value: unknown) => newPassword.safeParse(value).error?.issues.map((issue) => issue.message)

describe('operators.newPassword', () => {
  it.each([
    [undefined, 'Password is required'],
    ['', 'Password is required'],
    ['a', 'Password does not meet all requirements'],
    ['lowercase1!', 'Password does not meet all requirements'],
    ['UPPERCASE1!', 'Password does not meet all requirements'],
    ['NoDigitsHere!', 'Password does not meet all requirements'],
    ['NoSpecial123', 'Password does not meet all requirements'],
    ['Only-dash-1', 'Password does not meet all requirements'],
    ['Ab1!xyz', 'Password must be at least 8 characters long'],
    [`Ab1!${'x'.repeat(125)}`, 'Password must be at most 128 characters long'],
  ])('says one thing about %j: %s', (value, text) => {
    expect(firstText(value)).toEqual([text])
  })

  it.each(['Abcdef1!', 'Ab1 with spaces ^', `Ab1!${'x'.repeat(124)}`, 'Äö12345.aB'])('takes %j as it is', (value) => {
    expect(newPassword.parse(value)).toBe(value)
  })

  it.each(['.', ',', '?', '@', '*', '!', '$', '%', '#', '^', '&'])('counts %s as a special character', (character) => {
    expect(newPassword.safeParse(`Abcdef1${character}`).success).toBe(true)
  })
})
