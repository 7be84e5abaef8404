import type { Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources } from './source-files.ts'

/** Texts and constants the product was asked for letter by letter. Each must stand in the code, and stay as it is. */
export const specificationTexts: readonly string[] = [
  'Add new project',
  'Name of your project',
  'Continue To Project Details',
  'Project Name is required',
  'Failed to fetch projects',
  'Error saving project.',
  'Current password is required',
  'Password is required',
  'Password does not meet all requirements',
  'Password must be at least 8 characters long',
  'Please confirm your password',
  'Passwords do not match',
  'Bad Request: Invalid input.',
  'An unexpected error occurred.',
  ' Copied!',
  'Failed to copy ',
  'Privacy Policy',
  'Cookie Policy',
  'All Projects',
  'Add Project',
  'Change Password',
  'Logout',
  '#caff54',
  'logo.png',
  'Ended',
  '/forgotPassword',
  '/createPassword',
  '/setPassword',
]

/** Finds texts of the specification that no screen and no schema has any more. */
export async function checkSpecificationTexts(root: string): Promise<Outcome> {
  const sources = await readSources(
    root,
    (path) => /^(apps|packages\/contract)\//.test(path) && isWrittenCode(path) && !isTestCode(path),
  )
  const missing = specificationTexts.filter((text) => !sources.some((source) => source.text.includes(text)))
  return {
    findings: missing.map((text) => ({ file: '', message: `'${text}' stands nowhere in apps/ or packages/contract/` })),
    note: `${specificationTexts.length} texts`,
  }
}
