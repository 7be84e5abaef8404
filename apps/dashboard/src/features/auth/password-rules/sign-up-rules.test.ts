import { describe, expect, it } from 'vitest'

import { signUpErrors } from './sign-up-rules.ts'

const values = (patch: object) => ({
  email: 'owner@shop.example',
  password: 'Secret-1!',
  confirmation: 'Secret-1!',
  setupCode: '',
  ...patch,
})

describe('signUpErrors', () => {
  it.each([
    [
      { password: '', confirmation: '' },
      { password: 'Password is required', confirmation: 'Please confirm your password' },
    ],
    [{ password: 'secret', confirmation: 'secret' }, { password: 'Password does not meet all requirements' }],
    [{ password: 'Ab1!', confirmation: 'Ab1!' }, { password: 'Password must be at least 8 characters long' }],
    [{ confirmation: 'other' }, { confirmation: 'Passwords do not match' }],
    [{ email: '' }, { email: 'Email is required' }],
    [{}, {}],
  ])('%j gives %j', (patch, errors) => {
    expect(signUpErrors(values(patch))).toEqual(errors)
  })
})
