import { describe, expect, it } from 'vitest'

import { SignedIn, SignIn, StepUp } from './schemas.ts'

/** The first text of each field, as forms and server show it. */
const texts = (schema: typeof SignIn | typeof StepUp, value: unknown) => {
  const issues = schema.safeParse(value).error?.issues ?? []
  return Object.fromEntries(issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]))
}

describe('auth.SignIn', () => {
  it('names each missing field', () => {
    expect(texts(SignIn, {})).toEqual({ email: 'Email is required', password: 'Password is required' })
    expect(texts(SignIn, { email: ' ', password: '' })).toEqual({
      email: 'Email is required',
      password: 'Password is required',
    })
  })

  it('lower-cases the address and leaves the password alone', () => {
    expect(SignIn.parse({ email: ' Owner@Shop.Example ', password: ' x ' })).toEqual({
      email: 'owner@shop.example',
      password: ' x ',
    })
  })
})

describe('auth.StepUp', () => {
  it('asks for the password when the password is the method', () => {
    expect(texts(StepUp, { method: 'password' })).toEqual({ password: 'Password is required' })
    expect(StepUp.safeParse({ method: 'totp', code: '123456' }).success).toBe(true)
  })

  it('refuses a challenge that cannot be one', () => {
    expect(texts(StepUp, { method: 'totp', challengeId: "1' OR 1=1" })).toEqual({
      challengeId: 'Challenge is not valid',
    })
  })
})

describe('auth.SignedIn', () => {
  it('has the key order scripts rely on', () => {
    expect(Object.keys(SignedIn.shape).join(' ')).toBe(
      'id createdAt updatedAt key status memberID member externalPlatformID roleID role metadata accessToken refreshToken' +
        ' expiresIn tokenType resetPasswordRequired resetPasswordToken expiresAt absoluteExpiresAt projects secondFactor',
    )
  })
})
