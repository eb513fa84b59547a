// Outside the modules: when their code does not come (a line that breaks, a version gone from the server), the page
// tries once by itself and then says so, instead of staying blank.
const triedKey = 'balcao-boot'
window.addEventListener(
  'error',
  (event) => {
    if (!(event.target instanceof HTMLScriptElement)) return
    if (sessionStorage.getItem(triedKey) === null) {
      sessionStorage.setItem(triedKey, '1')
      location.reload()
      return
    }
    sessionStorage.removeItem(triedKey)
    const problem = document.createElement('div')
    problem.setAttribute('role', 'alert')
    problem.style.cssText = 'max-width:420px;margin:20vh auto;padding:0 24px;font:16px/1.5 system-ui;text-align:center'
    const text = document.createElement('p')
    text.textContent = 'Não conseguimos abrir o Balcão. Confira a internet e tente de novo.'
    const again = document.createElement('button')
    again.textContent = 'Tentar de novo'
    again.style.cssText = 'padding:8px 20px;font:inherit;cursor:pointer'
    again.addEventListener('click', () => location.reload())
    problem.append(text, again)
    document.body.replaceChildren(problem)
  },
  true,
)
window.addEventListener('load', () => {
  if (document.getElementById('app')?.childElementCount) sessionStorage.removeItem(triedKey)
})
