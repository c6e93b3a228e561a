import type { IMimeBundle } from "@jupyterlab/nbformat";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { notebookPage, sanitizeHtml } from "../../src/cli/ipynb/page.ts";
import {
  deviceCard,
  deviceTable,
  jobCard,
  jobTable,
  progressView,
  runCard,
} from "../../src/display/index.ts";
import type { Notebook, Output } from "../../src/ipynb/format.ts";
import { highlight } from "../../src/ipynb/prose/highlight.ts";
import { calibration } from "../charts/calibrations.ts";
import { device, job, now } from "../display/records.ts";

function pageOf(outputs: Output[], prose = "# Title", source = "1"): string {
  const notebook: Notebook = {
    metadata: {},
    cells: [
      { cell_type: "markdown", id: "a", metadata: {}, source: prose },
      { cell_type: "code", id: "b", metadata: {}, source, outputs, execution_count: 1 },
    ],
  };
  return notebookPage(notebook, { name: "test.ipynb", note: "executed" });
}

function shown(data: IMimeBundle, metadata = {}): Output {
  return { output_type: "display_data", data, metadata };
}

describe("the page of a notebook", () => {
  test("forbids everything that could run or load", () => {
    expect(pageOf([])).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; font-src data:; style-src-elem 'sha256-[\w+/=]+'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'">/,
    );
  });

  test("names no resource outside of itself, whatever a notebook brings along", () => {
    const page = pageOf(
      [
        shown({
          "text/html":
            '<img src="http://e.test/x.png"><link rel=stylesheet href=http://e.test/s.css><style>@import "http://e.test"</style>' +
            '<div style="background:url(http://e.test/b)">kept</div><iframe src=http://e.test></iframe><meta http-equiv=refresh content="0;http://e.test">',
        }),
        shown({
          "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://e.test/i"/></svg>',
        }),
      ],
      "![remote](http://e.test/p.png)\n\n<img src=http://e.test/q.png>",
    );
    const markup = page.replace(/&lt;.*?&gt;/gs, "");
    expect(markup).not.toMatch(/<(?:script|link|iframe|object|embed|form|base|meta http-equiv="?refresh)/i);
    expect([...markup.matchAll(/\ssrc="([^"]*)"/g)].map(([, source]) => source!.slice(0, 11))).toEqual([
      "data:image/",
    ]);
    expect(markup).not.toContain("url(");
    expect(page).toContain('<a href="http://e.test/p.png">remote</a>');
    expect(page).toContain("<div>kept</div>");
  });

  test("shows hostile text as text", () => {
    const hostile = "</pre><script>alert(1)</script>\u001b[31m";
    const page = pageOf(
      [
        { output_type: "stream", name: "stdout", text: hostile },
        { output_type: "error", ename: hostile, evalue: hostile, traceback: [hostile] },
        shown({ "text/plain": hostile }),
        shown(
          { "image/png": `"><script>alert(1)</script>`, "text/plain": `"${hostile}` },
          { "image/png": { width: "1'" } },
        ),
        shown({ "text/markdown": `${hostile}[x](javascript:alert(1))` }),
        shown({ [hostile]: hostile }),
      ],
      `# ${hostile}`,
      `"${hostile}" // ${hostile}`,
    );
    expect(page).not.toContain("<script");
    expect(page).not.toContain('href="javascript');
    expect(page).not.toContain("\u001b");
  });

  test("prefers HTML to a picture, a picture to text, and shows a picture at its true size", () => {
    expect(pageOf([shown({ "text/html": "<i>h</i>", "image/png": "AAAA", "text/plain": "t" })])).toContain(
      "<i>h</i>",
    );
    const picture = shown(
      { "image/png": "AA\nAA", "text/plain": "t" },
      { "image/png": { width: 300, height: 200 } },
    );
    expect(pageOf([picture])).toContain('<img src="data:image/png;base64,AAAA" alt="t" width="300">');
    expect(pageOf([shown({ "application/x-unknown+json": { a: 1 }, "text/plain": "t" })])).toContain(
      "<pre>t</pre>",
    );
  });

  test("lists the headings of a long notebook, each with an anchor of its own", () => {
    const page = pageOf([], "# One\n\n## Two *words*\n\n## Two words\n\n### Three");
    expect(page).toContain('<h2 id="Two-words-2">');
    expect(page).toContain('<a href="#Two-words-2">Two words</a>');
    expect(page).toContain("<title>One</title>");
  });
});

describe("sanitized HTML", () => {
  test("keeps what tables, cards and meters are made of", () => {
    const card =
      "<div style=\"display:flex;gap:8px;border:1px solid #76767640;font-family:'Inter'\"><table><thead><tr>" +
      '<th scope="col" title="a &amp; b">Q</th></tr></thead><tbody><tr><td style="text-align:right">' +
      '<meter min="0" max="1" value="0.3"></meter></td></tr></tbody></table><details open><summary>s</summary>x' +
      '</details><img src="data:image/png;base64,AAAA" alt="x" /><a href="https://e.test/?a=1&amp;b=2">l</a></div>';
    expect(sanitizeHtml(card)).toBe(card);
  });

  test("keeps every form of the library whole", () => {
    const drawing = { svg: "<svg></svg>", text: "q: ─" };
    const figures = calibration(3, [[0, 1, 0.02]]);
    const forms = [
      deviceTable([device(), device({ status: "OFFLINE" })], {
        calibrations: new Map([[device().qrn, figures]]),
      }),
      deviceCard(device(), { now }),
      jobTable([job()], { now }),
      jobCard(job(), { now }),
      runCard({ drawing, device: "sim", shots: 10, name: "Bell" }),
      progressView({ title: "Bell", status: "QUEUED", elapsedMs: 10, fraction: 0.3, queuePosition: 2 }),
    ];
    const serialized = (html: string) =>
      html
        .replace(
          / ([a-z]+)=(?:'([^']*)'|([^\s"'>]+))/g,
          (_, name, single, bare) => ` ${name}="${single ?? bare}"`,
        )
        .replace(/(<(?:img|br) [^>]*)>/g, "$1 />");
    for (const { html } of forms) expect(sanitizeHtml(html)).toBe(serialized(html));
  });

  test.each([
    ["<script>alert(1)</script>after", "after"],
    ["<a href=' javascript:alert(1)'>x</a>", "<a>x</a>"],
    ["<a href=java&#115;cript:alert(1)>x</a>", "<a>x</a>"],
    ["<p onclick=alert(1)>x", "<p>x</p>"],
    ["<p style='position:fixed;top:0'>x</p>", "<p>x</p>"],
    ["<p style='background:\\75rl(x)'>x</p>", "<p>x</p>"],
    ["<p style='transform:scale(99);margin:-9999px'>x</p>", "<p>x</p>"],
    ["<p style='color:red;margin:0 -9px;z-index:9'>x</p>", '<p style="color:red">x</p>'],
    ["<p style='width:calc(1px + url(x));zoom:99;inset:0'>x</p>", "<p>x</p>"],
    ["<p style='color:red}*{position:fixed'>x</p>", '<p style="color:red">x</p>'],
    ["<img src=data:text/html;base64,AAAA>", ""],
    ["<img src=https://e.test/x.png>", ""],
    ["</div></main><b>x", "<b>x</b>"],
    ["<img src=x onerror=alert(1)//", ""],
    ["<!-- <b> -->x<!-- open <b>", "x"],
    ["<svg><style><img src=x onerror=alert(1)></style></svg>y", "y"],
    ["<textarea><b></textarea>z", "z"],
  ])("makes %s harmless", (hostile, harmless) => {
    expect(sanitizeHtml(hostile)).toBe(harmless);
  });

  test("leaves out what is nested so deep that reading it would take long", () => {
    expect(sanitizeHtml("<div>".repeat(1e6))).toBe(
      "<p>[HTML that is nested more than 200 elements deep is left out.]</p>",
    );
    expect(sanitizeHtml("<br><p>x</p>".repeat(1000))).toBe("<br /><p>x</p>".repeat(1000));
  });

  test("holds only well-formed allowed tags, all closed, for any input", () => {
    const pieces = fc.constantFrom(
      ..."< > / \" ' = <b> </b> <p <img <script> </script> <style> <!-- --> <svg onload=1> <td> </table> <table> style= href= src= data:image/png;base64, javascript: onerror= x &lt; &quot; \n \0 <a <br/>".split(
        " ",
      ),
      " ",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), parts => {
        const open: string[] = [];
        const text = sanitizeHtml(parts.join("")).replace(
          /<(\/?)([a-z0-9]+)((?: [a-z-]+="[^"<]*")*)(?: \/)?>/g,
          (_tag, slash, name, attributes) => {
            expect(`${name}${attributes}`).not.toMatch(
              /script|^style|svg|iframe| on[a-z]+=| href="(?:\/\/|(?!https?:|mailto:)[^"/?#]*:)/,
            );
            if (slash) expect(open.pop()).toBe(name);
            else if (name !== "br" && name !== "img") open.push(name);
            return "";
          },
        );
        expect(text).not.toMatch(/[<>]/);
        expect(open).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

test("highlighting changes no character of the program", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.constantFrom("ts", "qasm"),
      (program, language) => {
        const text = highlight(program, language).replace(/<\/?span[^>]*>/g, "");
        const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" };
        expect(
          text.replace(/&(?:lt|gt|quot|#x27|amp);/g, entity => entities[entity as keyof typeof entities]),
        ).toBe(program);
      },
    ),
  );
  expect(highlight("const a = `x`; // y", "ts")).toBe(
    '<span class="keyword">const</span> a = <span class="string">`x`</span>; <span class="comment">// y</span>',
  );
  expect(highlight("rx(pi/2) q[0]; // y", "qasm")).toBe(
    '<span class="title function_">rx</span>(<span class="literal">pi</span>/<span class="number">2</span>) ' +
      'q[<span class="number">0</span>]; <span class="comment">// y</span>',
  );
  expect(highlight("a < b", "unknown")).toBe("a &lt; b");
});
