/** Typed twice, meant once. */
export const samePasswords = ({ password, again }: { password: string; again: string }) =>
  password === again ? [] : [{ path: 'again', message: 'As senhas não conferem.' }]
