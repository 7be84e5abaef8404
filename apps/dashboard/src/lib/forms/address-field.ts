import type { FieldProps } from './form.ts'
import { withScheme } from './web-address.ts'

/** An address that people know by its name alone: `acme.com` is completed when the field is left or sent with Enter. */
export function addressField(field: FieldProps<string>) {
  const complete = () => {
    const address = withScheme(field.value)
    if (address !== field.value) field.onChange(address)
    return address !== field.value
  }
  return {
    ...field,
    type: 'url',
    inputMode: 'url',
    placeholder: 'https://',
    // What was completed is valid; the form would still check what stood there before.
    onBlur: () => complete() || field.onBlur(),
    onKeyDown: ({ key }: { readonly key: string }) => key === 'Enter' && complete(),
  } as const
}
