/** The installation's secret in every suite: the passwords of the database roles follow from it. */
export const secret = 'test-secret-test-secret-test-secret-test'
