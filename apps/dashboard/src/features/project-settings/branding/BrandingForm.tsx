import type { Project } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'

import { Card } from '../../../ui/places/Card.tsx'
import { BrandColorField } from './BrandColorField.tsx'
import { CheckoutFields } from './CheckoutFields.tsx'
import { CheckoutPreview } from './CheckoutPreview.tsx'
import { LogoField } from './LogoField.tsx'
import { ownLogo } from './own-logo.ts'
import { projectLabel, shownValue } from '../saved-form/project-changes.ts'
import { SavedFormFrame } from '../saved-form/SavedFormFrame.tsx'
import { useFileAddress } from './useFileAddress.ts'
import { useProjectForm } from '../saved-form/useProjectForm.ts'

/** The logo, colour, language and words customers see, beside the payment page they make. */
export function BrandingForm({ project }: { project: Project }) {
  const edit = useProjectForm(project)
  const { values, errors, set, field } = edit.form
  const { path, file } = values.logo
  const chosen = useFileAddress(file)
  const shown = file === undefined ? ownLogo(path) : chosen
  return (
    <SavedFormFrame edit={edit} label={projectLabel} show={shownValue}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Card title={t`Branding`} text={t`What customers see on the payment page.`}>
          <div className="flex flex-col gap-6">
            <LogoField logo={values.logo} address={shown} error={errors.logo} onChange={(logo) => set({ logo })} />
            <BrandColorField field={field('brandColor')} />
            <CheckoutFields field={field} />
          </div>
        </Card>
        <CheckoutPreview
          name={values.name}
          colour={values.brandColor}
          logo={shown}
          supportEmail={values.supportEmail}
          backText={values.backText.trim()}
          hasWayBack={values.successEndpoint !== '' || values.website !== ''}
        />
      </div>
    </SavedFormFrame>
  )
}
