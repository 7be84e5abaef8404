import { useRef, useState } from 'react'
import type { SubmitEvent } from 'react'

import { afterPress } from './after-press.ts'

export type FieldErrors<Values> = { readonly [Name in keyof Values]?: string }

export type FormOptions<Values> = {
  readonly initial: Values
  /** Every field that fails, with its one message; an empty object lets the form go out. */
  readonly validate: (values: Values) => FieldErrors<Values>
  /** Sends the form; it may hand back errors of the server for their fields. */
  readonly submit: (values: Values) => Promise<FieldErrors<Values> | undefined | void>
}

export type Form<Values> = {
  readonly values: Values
  readonly errors: FieldErrors<Values>
  readonly sending: boolean
  readonly set: (patch: Partial<Values>) => void
  /** What a text part takes: its name, value, error, mark and handlers. */
  readonly field: <Name extends keyof Values & string>(name: Name) => FieldProps<Values[Name]>
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
}

export type FieldProps<Value> = {
  readonly name: string
  readonly value: Value
  readonly error: string | undefined
  /** Whether the form refuses to go out while this text is empty and the others stay as they are. */
  readonly isRequired?: boolean
  readonly onChange: (value: Value) => void
  readonly onBlur: () => void
}

/**
 * One form's state: a field is checked on blur and on submit, its error clears when it is edited, the first field that
 * fails gets the focus, and a second press while the first is on its way does nothing.
 */
export function useForm<Values extends object>({ initial, validate, submit }: FormOptions<Values>): Form<Values> {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors<Values>>({})
  const [sending, setSending] = useState(false)
  const busy = useRef(false)
  const rounds = useRef(0)

  const set = (patch: Partial<Values>) => {
    setValues((before) => ({ ...before, ...patch }))
    setErrors((before) => without(before, Object.keys(patch)))
  }

  const field = <Name extends keyof Values & string>(name: Name): FieldProps<Values[Name]> => ({
    name,
    value: values[name],
    error: errors[name],
    isRequired: typeof values[name] === 'string' && validate({ ...values, [name]: '' })[name] !== undefined,
    onChange: (value) => set({ [name]: value } as unknown as Partial<Values>),
    onBlur: () => {
      if (values[name] === initial[name]) return
      const round = rounds.current
      afterPress(() => {
        // The press sent the form, which checks every field.
        if (round === rounds.current) setErrors((before) => ({ ...before, [name]: validate(values)[name] }))
      })
    },
  })

  const send = async (form: HTMLFormElement) => {
    rounds.current += 1
    const found = validate(values)
    setErrors(found)
    if (hasErrors(found)) return focusFirst(form, found)
    busy.current = true
    setSending(true)
    try {
      const refused = await submit(values)
      if (refused !== undefined) {
        setErrors(refused)
        focusFirst(form, refused)
      }
    } finally {
      busy.current = false
      setSending(false)
    }
  }

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!busy.current) void send(event.currentTarget)
  }

  return { values, errors, sending, set, field, onSubmit }
}

function hasErrors(errors: object): boolean {
  return Object.values(errors).some((text) => text !== undefined)
}

function without<Values>(errors: FieldErrors<Values>, names: readonly string[]): FieldErrors<Values> {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name))) as FieldErrors<Values>
}

function focusFirst(form: HTMLFormElement, errors: object): void {
  const failed = new Set(Object.entries(errors).flatMap(([name, text]) => (text === undefined ? [] : [name])))
  const first = [...form.elements].find((element) => failed.has(element.getAttribute('name') ?? ''))
  if (first instanceof HTMLElement) first.focus()
}
