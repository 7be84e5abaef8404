import { msg } from '@lingui/core/macro'

/** Texts the specification fixes letter by letter; several screens share them. `t(SPEC_TEXTS.badRequest)` says one. */
export const SPEC_TEXTS = {
  projectsFailed: msg({ id: 'spec.projectsFailed', message: 'Failed to fetch projects' }),
  addProjectTitle: msg({ id: 'spec.addProjectTitle', message: 'Add new project' }),
  projectNameLabel: msg({ id: 'spec.projectNameLabel', message: 'Name of your project' }),
  projectNameRequired: msg({ id: 'spec.projectNameRequired', message: 'Project Name is required' }),
  continueToDetails: msg({ id: 'spec.continueToDetails', message: 'Continue To Project Details' }),
  savingFailed: msg({ id: 'spec.savingFailed', message: 'Error saving project.' }),
  badRequest: msg({ id: 'spec.badRequest', message: 'Bad Request: Invalid input.' }),
  unexpected: msg({ id: 'spec.unexpected', message: 'An unexpected error occurred.' }),
  allProjects: msg({ id: 'spec.allProjects', message: 'All Projects' }),
  addProject: msg({ id: 'spec.addProject', message: 'Add Project' }),
  changePassword: msg({ id: 'spec.changePassword', message: 'Change Password' }),
  logout: msg({ id: 'spec.logout', message: 'Logout' }),
  privacyPolicy: msg({ id: 'spec.privacyPolicy', message: 'Privacy Policy' }),
  cookiePolicy: msg({ id: 'spec.cookiePolicy', message: 'Cookie Policy' }),
  passwordRequired: msg({ id: 'spec.passwordRequired', message: 'Password is required' }),
  passwordIncomplete: msg({ id: 'spec.passwordIncomplete', message: 'Password does not meet all requirements' }),
  passwordShort: msg({ id: 'spec.passwordShort', message: 'Password must be at least 8 characters long' }),
  confirmRequired: msg({ id: 'spec.confirmRequired', message: 'Please confirm your password' }),
  confirmDiffers: msg({ id: 'spec.confirmDiffers', message: 'Passwords do not match' }),
} as const
