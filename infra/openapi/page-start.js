/* Runs in a browser, after Redoc. The policy of the page allows this very text. */

const theme = {
  spacing: { sectionHorizontal: 28, sectionVertical: 24 },
  colors: {
    primary: { main: '#0a5c36' },
    success: { main: '#0a5c36' },
    text: { primary: '#1d2521', secondary: '#4a554f' },
    responses: {
      success: { tabTextColor: '#1a9a5c' },
      error: { tabTextColor: '#e0524d' },
      redirect: { tabTextColor: '#b7791f' },
    },
    http: { get: '#0b6b3a', post: '#0b5394', patch: '#8a5a00', delete: '#a61b1b' },
  },
  typography: {
    fontSize: '16px',
    lineHeight: '1.55',
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
    headings: { fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif', fontWeight: '600' },
    code: {
      fontSize: '14px',
      fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
      color: '#7a2e0e',
      backgroundColor: '#f3f5f2',
      wrap: true,
    },
    links: { color: '#0a5c36', visited: '#0a5c36' },
  },
  sidebar: { backgroundColor: '#f6f8f5', textColor: '#1d2521' },
  rightPanel: { backgroundColor: '#17211c' },
  codeBlock: { backgroundColor: '#0d1411' },
};

Redoc.init(
  '/api/v1/openapi.json',
  {
    theme,
    hideDownloadButtons: false,
    expandResponses: '200,201,202',
    requiredPropsFirst: true,
    sortRequiredPropsFirst: true,
    jsonSamplesExpandLevel: 4,
    scrollYOffset: 0,
    nativeScrollbars: true,
    hideSchemaPattern: true,
  },
  document.getElementById('docs'),
);
