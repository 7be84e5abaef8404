import { DEFAULT_BRAND_COLOR } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import type { FieldProps } from '../../../lib/forms/form.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { contrast, EDGE_RATIO, isColour, textOn } from './contrast.ts'

/** The colour of the payer's buttons, typed or picked, with how it reads. */
export function BrandColorField({ field }: { field: FieldProps<string> }) {
  const isValid = isColour(field.value)
  const picker = (
    <input
      type="color"
      aria-label={t`Colour picker`}
      value={isValid ? field.value.toLowerCase() : DEFAULT_BRAND_COLOR}
      onChange={(event) => field.onChange(event.currentTarget.value)}
      className="h-5 w-10 cursor-pointer self-center rounded-chip border border-border bg-transparent p-0"
    />
  )
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <TextField
        {...field}
        label={t`Brand colour`}
        mono
        maxLength={7}
        aside={picker}
        hint={t`Empty brings ${DEFAULT_BRAND_COLOR} back.`}
      />
      {isValid && <Verdict colour={field.value.toLowerCase()} />}
    </div>
  )
}

function Verdict({ colour }: { colour: string }) {
  const text = textOn(colour)
  const onPage = contrast(colour, '#ffffff')
  const textRatio = contrast(colour, text).toFixed(1)
  const pageRatio = onPage.toFixed(1)
  return (
    <div className="flex flex-wrap items-center gap-3 text-dense text-muted">
      <span
        aria-hidden
        style={{ backgroundColor: colour, color: text }}
        className="rounded-control border border-border px-3 py-1.5 text-body font-medium"
      >
        <Trans>Pay now</Trans>
      </span>
      <span className="min-w-0 flex-1 basis-52">
        {text === '#000000' ? t`Text on it is dark, ${textRatio}:1.` : t`Text on it is light, ${textRatio}:1.`}{' '}
        {onPage >= EDGE_RATIO
          ? t`It stands out from a white page, ${pageRatio}:1.`
          : t`On a white page it has ${pageRatio}:1, so the checkout draws an edge around it.`}
      </span>
    </div>
  )
}
