import { LONGEST_BACK_TEXT } from '@kassa/contract/projects/checkout-options.ts'
import { t } from '@lingui/core/macro'

import type { Form } from '../../../lib/forms/form.ts'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { languageOptions, themeOptions } from '../saved-form/checkout-options.ts'
import type { ProjectValues } from '../saved-form/project-changes.ts'
import { projectLabel } from '../saved-form/project-changes.ts'

/** Language, colours and the way back of the payment page. */
export function CheckoutFields({ field }: { readonly field: Form<ProjectValues>['field'] }) {
  return (
    <>
      <Select
        {...field('checkoutLanguage')}
        label={projectLabel('checkoutLanguage')}
        options={languageOptions()}
        hint={t`Customers can change it; a link with lang in its address keeps that language.`}
      />
      <Select {...field('checkoutTheme')} label={projectLabel('checkoutTheme')} options={themeOptions()} />
      <TextField
        {...field('backText')}
        label={projectLabel('backText')}
        maxLength={LONGEST_BACK_TEXT}
        hint={t`Shown as you write it, in every language. Leave it empty for “Back to” and the name of the project.`}
      />
    </>
  )
}
