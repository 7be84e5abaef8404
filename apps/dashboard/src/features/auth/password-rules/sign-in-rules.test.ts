import { SignIn } from '@kassa/contract/auth/schemas.ts'
import { expect, it } from 'vitest'

import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { signInErrors } from './sign-in-rules.ts'

const long = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`

it.each(['', ' ', '\u0007', 'a', 'a@b', ' A@example.com ', 'a b@example.com', long(254), long(255), 'x'.repeat(300)])(
  'says of %j what the contract says',
  (email) => {
    for (const password of ['', ' ', 'secret']) {
      const values = { email, password }
      expect(signInErrors(values)).toEqual(fieldErrors(SignIn, values))
    }
  },
)
