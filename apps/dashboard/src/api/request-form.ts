import { useState } from 'react'

import { type FieldErrors, type Form, useForm } from '../lib/forms/form.ts'
import { formFailure } from './form-failure.ts'

/** A form of texts: what the server refuses stands at its field, or above the form, as does a text that `send` returns. */
export function useRequestForm<Values extends Readonly<Record<string, string>>>(
  initial: Values,
  validate: (values: Values) => FieldErrors<Values>,
  send: (values: Values) => Promise<string | void>,
): { readonly form: Form<Values>; readonly failure: string | undefined } {
  const [failure, setFailure] = useState<string>()
  const form = useForm<Values>({
    initial,
    validate,
    submit: async (values) => {
      setFailure(undefined)
      try {
        setFailure((await send(values)) ?? undefined)
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(values))
        setFailure(text)
        return fields
      }
    },
  })
  return { form, failure }
}
