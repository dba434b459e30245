/// What a page does beside being read: it finds changes, opens and closes all groups, and opens them for print where they
/// are not hundreds of pages. All that it shows is there without it.
let pageScript = """
  (function () {
    'use strict';
    var groups = Array.prototype.slice.call(document.querySelectorAll('details'));
    var isShort = document.querySelectorAll('details tr').length <= 1000;
    addEventListener('beforeprint', function () {
      if (isShort) groups.forEach(function (group) {
        group.dataset.was = group.open ? '1' : '';
        group.open = true;
      });
    });
    addEventListener('afterprint', function () {
      if (isShort) groups.forEach(function (group) { group.open = group.dataset.was === '1'; });
    });
    var tools = document.getElementById('tools');
    if (!tools) return;
    tools.hidden = false;
    var box = document.getElementById('search');
    var kind = document.getElementById('kind');
    var found = document.getElementById('found');
    var servers = groups.filter(function (group) { return group.classList.contains('server'); });
    var wasOpen = servers.map(function (group) { return group.open; });
    var index = null;
    function build() {
      index = servers.map(function (group) {
        var head = group.querySelector('summary').textContent;
        return Array.prototype.map.call(group.querySelectorAll('tr[data-row]'), function (row) {
          return { row: row, text: (head + ' ' + row.textContent).toLowerCase(), kinds: row.dataset.row.split(' ') };
        });
      });
    }
    function filter() {
      if (!index) build();
      var words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
      var wanted = kind.value;
      var isIdle = !words.length && !wanted;
      var shown = 0;
      var all = 0;
      index.forEach(function (rows, place) {
        var here = 0;
        rows.forEach(function (entry) {
          var fits = (!wanted || entry.kinds.indexOf(wanted) >= 0)
            && words.every(function (word) { return entry.text.indexOf(word) >= 0; });
          entry.row.hidden = !fits;
          if (fits) here += 1;
        });
        all += rows.length;
        shown += here;
        var group = servers[place];
        group.hidden = !isIdle && here === 0;
        group.open = isIdle ? wasOpen[place] : here > 0 && (here <= 200 || shown <= 500);
      });
      found.textContent = isIdle ? '' : shown + ' of ' + all + ' changes';
    }
    var timer = 0;
    box.addEventListener('input', function () {
      clearTimeout(timer);
      timer = setTimeout(filter, 120);
    });
    kind.addEventListener('change', filter);
    document.getElementById('open').addEventListener('click', function () {
      servers.forEach(function (group) { group.open = true; });
    });
    document.getElementById('close').addEventListener('click', function () {
      servers.forEach(function (group) { group.open = false; });
    });
    addEventListener('keydown', function (event) {
      if (event.key === '/' && document.activeElement !== box && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        box.focus();
      }
    });
  }());
  """
