/** Texts the specification fixes letter by letter; several screens share them. */
export const SPEC_TEXTS = {
  projectsFailed: 'Failed to fetch projects',
  addProjectTitle: 'Add new project',
  projectNameLabel: 'Name of your project',
  projectNameRequired: 'Project Name is required',
  continueToDetails: 'Continue To Project Details',
  savingFailed: 'Error saving project.',
  badRequest: 'Bad Request: Invalid input.',
  unexpected: 'An unexpected error occurred.',
  passwordRequired: 'Password is required',
  passwordIncomplete: 'Password does not meet all requirements',
  passwordShort: 'Password must be at least 8 characters long',
  confirmRequired: 'Please confirm your password',
  confirmDiffers: 'Passwords do not match',
} as const
